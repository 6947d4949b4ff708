// Settings of databases that contradict each other are refused, without a part of an address in the message.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from './config.ts';

const masterKey = Buffer.alloc(32, 7).toString('base64');

describe('settings are refused before a database is opened', () => {
  const good = 'postgres://paylink@db1.internal/paylink';
  const other = 'postgres://paylink@db2.internal/paylink';
  const cases: readonly (readonly [what: string, settings: Record<string, string>, message: RegExp])[] = [
    [
      'an address that is none',
      { DATABASE_URLS: `eu1=${good} eu2=http://db2.internal/paylink` },
      /DATABASE_URLS: the address of eu2 must /,
    ],
    [
      'one database twice',
      { DATABASE_URLS: `eu1=${good} eu2=postgres://other@db1.internal:5432/paylink` },
      /DATABASE_URLS: eu1 and eu2 are the same database: each needs one of its own\./,
    ],
    [
      'DATABASE_URL beside DATABASE_URLS',
      { DATABASE_URLS: `eu1=${good}`, DATABASE_URL: good },
      /DATABASE_URL and DATABASE_URLS exclude each other: DATABASE_URLS names all databases\./,
    ],
    [
      'a name in capitals',
      { DATABASE_URLS: `eu1=${good} EU2=${other}` },
      /DATABASE_URLS: the name of database 2 must have 1 to 31 lower-case letters/,
    ],
    [
      'the name of the directory',
      { DATABASE_URLS: `directory=${good}` },
      /DATABASE_URLS: the name of database 1 .*not be "directory"/,
    ],
    [
      'one name twice',
      { DATABASE_URLS: `eu1=${good} eu1=${other}` },
      /DATABASE_URLS: the name eu1 occurs twice\./,
    ],
    [
      'a direct address of an unknown cell',
      { DATABASE_URLS: `eu1=${good}`, DATABASE_DIRECT_URLS: `eu7=${good}` },
      /DATABASE_DIRECT_URLS: DATABASE_URLS does not name eu7\./,
    ],
    [
      'the first cell as the directory',
      { DATABASE_URLS: `eu1=${good}`, DIRECTORY_DATABASE_URL: good },
      /eu1 and DIRECTORY_DATABASE_URL are the same database: leave DIRECTORY_DATABASE_URL unset: the first cell has the directory\./,
    ],
    [
      'addresses separated by commas',
      { DATABASE_URLS: `eu1=${good},eu2=${other}` },
      /DATABASE_URLS: the address of eu1 contains another one: separate the addresses by white space, not by commas\./,
    ],
    [
      'direct addresses separated by commas',
      { DATABASE_URLS: `eu1=${good}`, DATABASE_DIRECT_URLS: `eu1=${good},eu2=${other}` },
      /DATABASE_DIRECT_URLS: the address of eu1 contains another one: separate the addresses by white space/,
    ],
    [
      'a directory without cells',
      { DATABASE_URL: good, DIRECTORY_DATABASE_URL: other },
      /DIRECTORY_DATABASE_URL requires DATABASE_URLS\./,
    ],
  ];
  for (const [what, settings, message] of cases)
    test(what, () => {
      const read = () => readConfig({ PAYLINK_MASTER_KEY: masterKey, ...settings });
      assert.throws(read, (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /internal/);
        return true;
      });
    });
});
