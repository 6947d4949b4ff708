// Fixtures files: every fault is found before a request, and references become values.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts are references of a fixtures file.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CommandError, exitCodes } from './command-error.ts';
import { parseFixtures } from './fixture-file.ts';
import { fillPath, fillValue, UnresolvedReferenceError } from './fixture-references.ts';

function faultsOf(file: unknown): string {
  try {
    parseFixtures(typeof file === 'string' ? file : JSON.stringify(file), 'demo.json');
  } catch (error) {
    assert.ok(error instanceof CommandError, String(error));
    assert.equal(error.exitCode, exitCodes.usage);
    return error.message;
  }
  return assert.fail('the file was accepted');
}

const get = (path: string) => ({ method: 'GET', path });

describe('checking a fixtures file', () => {
  test('steps come back with their numbers, and may refer to earlier ones and to the run', () => {
    const steps = parseFixtures(
      JSON.stringify({
        steps: [
          { name: 'made', method: 'POST', path: '/v1/x', body: { id: '${run.id}', price: '$${5}' } },
          { method: 'GET', path: '/v1/x/${made.id}', query: { a: '${made.b.0.c}', n: 1 } },
        ],
      }),
      'demo.json',
    );
    assert.deepEqual(
      steps.map(({ number, name, method }) => [number, name, method]),
      [
        [1, 'made', 'POST'],
        [2, null, 'GET'],
      ],
    );
  });

  test('a file of another form is refused', () => {
    for (const text of ['[]', '{}', '{"steps":{}}', '{"steps":[],"name":"x"}', 'null'])
      assert.match(faultsOf(text), /^demo\.json must be an object with the one field "steps"/);
    assert.match(faultsOf({ steps: [] }), /must have from 1 to 1000 steps, not 0/);
    assert.match(faultsOf('{"steps":['), /^demo\.json is not valid JSON: /);
    assert.match(faultsOf('{"steps":[{"body":0.1000000000000000055511}]}'), /too many digits/);
  });

  test('every fault is listed with the number of its step', () => {
    const message = faultsOf({
      steps: [
        'no',
        { method: 'get', path: 'v1', boddy: 1 },
        { ...get('/v1/x'), body: {}, name: 'run' },
        { ...get('/v1/x'), name: 'a', query: { b: [] } },
        { ...get('/v1/${a.b}'), name: 'a' },
        { ...get('/v1/${later.id}') },
        { ...get('/v1/x?y=1'), name: 'later' },
        { method: 'POST', path: '/v1/${run.day}', body: ['${', '${a b}', '${self.id}'], name: 'self' },
        {},
      ],
    });
    assert.deepEqual(message.split('\n'), [
      'demo.json was not run:',
      'Step 1: It must be an object, not "no".',
      'Step 2: "boddy" is unknown. The fields are name, method, path, query, body.',
      'Step 2: "method" must be one of GET, POST, PUT, PATCH, DELETE, not "get".',
      'Step 2: "path" must be a path of the service, such as /v1/payments, not "v1".',
      'Step 3: "name" cannot be "run": ${run.id} is the ID of the run.',
      'Step 3: GET takes no "body".',
      'Step 4: "query" must be an object of texts, numbers and booleans.',
      'Step 5: "name" is "a", as in an earlier step.',
      'Step 6: "${later.id}": no earlier step has the name "later".',
      'Step 7: "path" must be a path of the service, such as /v1/payments, not "/v1/x?y=1".',
      'Step 8: "${run.day}" must be ${run.id}.',
      'Step 8: "${" is not a reference such as ${payment.PaymentLinkCode}. Write $${ for the text ${.',
      'Step 8: "${a b}" is not a reference such as ${payment.PaymentLinkCode}. Write $${ for the text ${.',
      'Step 8: "${self.id}": no earlier step has the name "self".',
      'Step 9: "method" must be one of GET, POST, PUT, PATCH, DELETE.',
      'Step 9: "path" must be a path of the service, such as /v1/payments.',
    ]);
  });

  test('control characters of a file do not reach the terminal', () => {
    const message = faultsOf({ steps: [{ ...get('/v1/x'), name: '\u001b[2J\u009b' }] });
    assert.match(message, /^demo\.json was not run:\nStep 1: "name" must begin with a letter/);
    assert.doesNotMatch(message.replace('\n', ''), /\p{Cc}/u);
  });
});

describe('references', () => {
  const values = new Map<string, unknown>([
    ['made', { id: 'a/b?c', amount: 5, list: [{ name: 'x' }], empty: '', dots: '..', none: null }],
    ['run', { id: 'r-1' }],
  ]);

  test('a text that is one reference becomes the value with its type; in a text it is inserted', () => {
    assert.deepEqual(
      fillValue(
        {
          a: '${made.amount}',
          b: ['${made.list}'],
          c: 'of ${made.amount} in ${run.id}',
          d: '$${made.amount}',
          e: 7,
        },
        values,
      ),
      { a: 5, b: [[{ name: 'x' }]], c: 'of 5 in r-1', d: '${made.amount}', e: 7 },
    );
    assert.equal(fillValue('${made.list.0.name}', values), 'x');
  });

  test('in a path a value is one part, whatever is in it', () => {
    assert.equal(fillPath('/v1/${made.id}/y', values), '/v1/a%2Fb%3Fc/y');
    for (const path of ['/v1/${made.empty}/cancel', '/v1/${made.dots}/x'])
      assert.throws(() => fillPath(path, values), UnresolvedReferenceError);
  });

  test('a field that a response does not have, or inherits, is an error that names it', () => {
    for (const text of [
      '${made.nothing}',
      '${made.constructor}',
      '${made.id.length}',
      '${made.none.x}',
      '${made.list.1}',
    ])
      assert.throws(() => fillValue(text, values), /the response of "made" has no field/);
    assert.throws(() => fillValue('of ${made.list}', values), /\$\{made\.list\} is not a text/);
  });
});
