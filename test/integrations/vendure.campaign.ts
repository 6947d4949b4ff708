// The payment plugin for Vendure in a real Vendure server: a script buys through the shop API, and Chromium pays on the
// hosted page. Vendure is installed from the registry, which takes minutes.

import {
  prepareShop,
  testChanges,
  testForgeries,
  testPackage,
  testPaying,
  testRefunds,
  testSpecialRefunds,
  testUnpaid,
} from './vendure.ts';

prepareShop();
testPackage();
testPaying();
testRefunds();
testUnpaid();
testChanges();
testSpecialRefunds();
testForgeries();
