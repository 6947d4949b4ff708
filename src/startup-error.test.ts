import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from './base/operator-error.ts';
import { describeStartupError } from './startup-error.ts';

const settings = { port: 80, host: '127.0.0.1', databaseUrl: null as string | null, cells: null };
const faultWith = (fields: object, message = 'x') => Object.assign(new Error(message), fields);

test('a programming error keeps its stack', () => {
  for (const fault of [
    new TypeError('The value is undefined'),
    new Error('cannot read this'),
    new Error('The value has no such property'),
    faultWith({ severity: 'ERROR', code: '42601' }, 'syntax error at or near "selct"'),
    'no error at all',
  ])
    assert.equal(describeStartupError(fault, settings), null);
});

test('a database is named by host, port and name, never with user, password or options', () => {
  const fault = new OperatorError('The database of DATABASE_URL cannot be reached: it is not there.');
  const named = (databaseUrl: string) =>
    describeStartupError(fault, { ...settings, databaseUrl })?.split('\n')[1] ?? '';
  const expected = {
    'postgres://ada:hunter2@db.example:6432/shop?password=hunter2&sslmode=require':
      'DATABASE_URL names the database shop at db.example, port 6432.',
    'postgres://ada:hunter2@db.example': 'DATABASE_URL names a database at db.example, port 5432.',
    'postgresql:///shop?host=/run/postgresql':
      'DATABASE_URL names the database shop at /run/postgresql, port 5432.',
  };
  for (const [url, sentence] of Object.entries(expected)) assert.equal(named(url), sentence);
  assert.equal(named(''), '');
  const ofCells = { ...settings, databaseUrl: 'postgres://ada@db.example/shop', cells: [{}] };
  assert.equal(describeStartupError(fault, ofCells), fault.message, 'of several, the message names the cell');
});

test('a forbidden port is a sentence that names the setting', () => {
  const fault = faultWith({ code: 'EACCES', syscall: 'listen' });
  assert.match(describeStartupError(fault, settings) ?? '', /^Port 80 .* set PORT to a number above 1023\.$/);
});

test('a system error is one sentence, before and after the settings were read', () => {
  const fault = faultWith({ code: 'ENOSPC', syscall: 'write' }, 'ENOSPC: no space left on device, write');
  for (const known of [settings, null])
    assert.equal(
      describeStartupError(fault, known),
      'Paylink could not start: ENOSPC: no space left on device, write.',
    );
});
