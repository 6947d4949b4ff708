// The fields of `-d`: texts stay texts, JSON keeps its type, and nothing is lost or overwritten.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CommandError, exitCodes } from './command-error.ts';
import { commands } from './commands.ts';
import { parseExactJson } from './exact-json.ts';
import { parse } from './parse.ts';
import { readBodyFields, readQueryFields } from './request-fields.ts';

function givenOf(method: string, fields: readonly string[]) {
  const parsed = parse([method, '/v1/x', ...fields.flatMap((field) => ['-d', field])], commands);
  assert.ok(parsed.kind === 'run');
  return parsed.given;
}

const bodyOf = (...fields: string[]) => JSON.stringify(readBodyFields(givenOf('post', fields)));

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof CommandError, String(error));
    assert.equal(error.exitCode, exitCodes.usage);
    return error.message;
  }
  return assert.fail('nothing was refused');
}

describe('-d', () => {
  test('a value after = is text, also if it looks like a number; after := it is JSON', () => {
    assert.equal(
      bodyOf('order=1001', 'amount:=19.90', 'a=b=c', 'note='),
      '{"order":"1001","amount":19.9,"a":"b=c","note":""}',
    );
    assert.equal(bodyOf('x:=null', 'y:=[1,"2"]', 'z:={"a":true}'), '{"x":null,"y":[1,"2"],"z":{"a":true}}');
    assert.equal(bodyOf(), undefined);
  });

  test('names with brackets make objects and lists', () => {
    assert.equal(
      bodyOf('metadata[cart]=7', 'metadata[b][c]=8', 'events[]=a', 'events[]=b'),
      '{"metadata":{"cart":"7","b":{"c":"8"}},"events":["a","b"]}',
    );
  });

  test('a name with a special meaning in JavaScript is a name', () => {
    assert.equal(bodyOf('__proto__[a]=1', 'constructor=2'), '{"__proto__":{"a":"1"},"constructor":"2"}');
    assert.equal(({} as Record<string, unknown>).a, undefined);
  });

  test('what cannot be placed is refused by name, and nothing is overwritten', () => {
    for (const [fields, message] of [
      [['amount'], /^-d must have the form NAME=VALUE or NAME:=JSON, not "amount"\.$/],
      [['=5'], /must have the form/],
      [['a=1', 'a=2'], /^-d gives "a" two values/],
      [['a=1', 'a[b]=2'], /^-d gives "a\[b\]" two values/],
      [['a[]=1', 'a[b]=2'], /^-d gives "a\[b\]" two values/],
      [['a[b]=1', 'a[]=2'], /^-d gives "a\[\]" two values/],
      [['a[][b]=1'], /give the list as JSON/],
      [['[a]=1'], /does not know the name "\[a\]"/],
      [['a]b=1'], /does not know the name/],
      [['a:=nope'], /^-d a is not valid JSON: /],
      [
        ['amount:=19.990000000000000000001'],
        /^-d amount has the number 19\.99\d+, which has too many digits/,
      ],
    ] as const)
      assert.match(
        refusal(() => bodyOf(...fields)),
        message,
      );
  });

  test('a query has texts only, each name once', () => {
    const query = (...fields: string[]) => readQueryFields(givenOf('get', fields));
    assert.deepEqual(query('status=paid', 'limit=5'), { status: 'paid', limit: '5' });
    assert.match(
      refusal(() => query('a=1', 'a=2')),
      /more than once/,
    );
    assert.match(
      refusal(() => query('status')),
      /NAME=VALUE/,
    );
  });
});

test('JSON of a person is refused instead of changed', () => {
  assert.deepEqual(parseExactJson('{"a":1e2,"b":19.90}', 'x'), { a: 100, b: 19.9 });
  for (const text of ['{"a":9007199254740993}', '[0.1000000000000000055511]', '1e999'])
    assert.match(
      refusal(() => parseExactJson(text, 'x')),
      /^x has the number .* too many digits/,
    );
  const invalid = refusal(() => parseExactJson('{"a":\u001b[2J}', 'x'));
  assert.match(invalid, /^x is not valid JSON: /);
  assert.doesNotMatch(invalid, /\p{Cc}/u);
});
