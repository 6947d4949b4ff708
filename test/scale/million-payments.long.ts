// The short form, with enough payments that a table scan or an unbounded export exceeds its limit.

import { testQuestions } from './questions.ts';

testQuestions(100_000);
