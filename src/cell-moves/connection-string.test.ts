// The address with which one cell's server connects to another's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toConnectionString } from './connection-string.ts';

const tail = "connect_timeout='10' application_name='paylink move'";

test('an address with a password and special letters becomes a connection string that libpq reads', () => {
  assert.equal(
    toConnectionString('postgres://pay:p%27a%5C%20s@db.internal:6543/pay?sslmode=require', { user: 'pay' }),
    `host='db.internal' port='6543' dbname='pay' user='pay' password='p\\'a\\\\ s' sslmode='require' ${tail}`,
  );
});

test('an address with several hosts names all of them, and which one takes writes', () => {
  assert.equal(
    toConnectionString('postgres://pay@one:5432,two:5433/pay?target_session_attrs=read-write', {
      user: 'pay',
    }),
    `host='one,two' port='5432,5433' dbname='pay' user='pay' target_session_attrs='read-write' ${tail}`,
  );
});

test('an address without a user gets the one that it connects as', () => {
  assert.equal(
    toConnectionString('postgres://localhost/pay', { user: 'owner' }),
    `host='localhost' port='5432' dbname='pay' user='owner' ${tail}`,
  );
});
