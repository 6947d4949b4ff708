import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeStatement } from './trace-statements.ts';

test('a statement is named by what it does to which table, without its text', () => {
  for (const [text, name] of [
    ['select a from payments where id = $1', 'SELECT payments'],
    ['\n  with x as (select 1), y as (select 2 from x) insert into events (a) select $1', 'INSERT events'],
    ['with due as (select id from mails for update skip locked) update mails set a = 1', 'UPDATE mails'],
    ['select id from attempts for no key update', 'SELECT attempts'],
    ['select id from attempts for update of attempts', 'SELECT attempts'],
    ['insert into logins (a) values ($1) on conflict (a) do update set a = 1', 'INSERT logins'],
    ['delete from webhook_tries where at < $1', 'DELETE webhook_tries'],
    ['select 1 from unnest($1::text[]) as x join companies using (id)', 'SELECT'],
    ['select set_config($1, $2, true)', 'SELECT'],
    ["begin; select pg_catalog.set_config('role', 'x', true)", 'BEGIN'],
    ['commit', 'COMMIT'],
    ['rollback', 'ROLLBACK'],
    ['', 'OTHER'],
  ] as const) {
    const { name: shown, kind, attributes } = describeStatement(text);
    assert.deepEqual([shown, kind], [name, 'client'], text);
    assert.equal(attributes?.['db.query.summary'], name);
    assert.equal(attributes?.['db.operation.name'], name.split(' ')[0]);
  }
});
