// `rawRequest`: a request by method and path has the credentials, the key, the retries and the errors of other calls.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import { createPaylink, PaylinkApiError, PaylinkError } from '../../sdk/src/index.ts';
import { answer, openStub, refuse, type Stub, stubPassword, stubToken } from './stub.ts';

describe('rawRequest', () => {
  let stub: Stub;
  before(async () => {
    stub = await openStub();
    // Full jitter with the shortest possible wait.
    mock.method(Math, 'random', () => 0);
  });
  beforeEach(() => stub.reset());
  after(async () => {
    mock.restoreAll();
    await stub.stop();
  });

  const client = () =>
    createPaylink({ baseUrl: `${stub.baseUrl}/v1`, email: 'owner@example.com', password: stubPassword });
  const last = () => stub.calls.at(-1) ?? assert.fail('nothing was sent');

  test('a request has its query, its body and the credentials; the response is returned unread', async () => {
    stub.replyWith(answer(200, { data: [] }));
    const seen: number[] = [];
    const onAnswer = ({ status }: { status: number }) => void seen.push(status);
    const query = { text: 'a b&c', limit: 5, cursor: undefined };
    const response = await client().rawRequest('get', '/v1/new-things', { query }, { onAnswer });
    assert.deepEqual(await response.json(), { data: [] });
    assert.deepEqual([last().method, last().path], ['GET', '/v1/new-things?text=a+b%26c&limit=5']);
    assert.equal(last().headers.authorization, `Bearer ${stubToken(1)}`);
    assert.equal(last().headers['idempotency-key'], undefined);
    assert.deepEqual(seen, [200]);
    await client().rawRequest('PATCH', '/v1/new-things/1', { body: { amount: 19.99 } });
    assert.deepEqual([last().method, last().body], ['PATCH', '{"amount":19.99}']);
    assert.equal(last().headers['content-type'], 'application/json');
  });

  test('a POST that fails for a moment is retried with the same key, and an error is thrown as ever', async () => {
    stub.replyWith(refuse(503, 'unavailable'), answer(200));
    await client().rawRequest('POST', '/v1/new-things', {}, { idempotencyKey: 'once' });
    assert.deepEqual(
      stub.calls.map(({ headers }) => headers['idempotency-key']),
      ['once', 'once'],
    );
    stub.replyWith(refuse(409, 'order_conflict'));
    await assert.rejects(client().rawRequest('DELETE', '/v1/new-things'), (error) => {
      assert.ok(error instanceof PaylinkApiError);
      assert.deepEqual([error.status, error.code], [409, 'order_conflict']);
      return true;
    });
  });

  test('an operation without credentials gets none', async () => {
    await client().rawRequest('POST', '/v1/invitations/accept', { body: {} });
    assert.deepEqual(
      [last().headers.authorization, last().headers['idempotency-key']],
      [undefined, undefined],
    );
    await client().rawRequest('GET', '/problems/not_found');
    assert.equal(last().headers.authorization, undefined);
    assert.equal(stub.logins.length, 0);
  });

  test('another method and a path that is none are refused before a login', async () => {
    for (const [method, path] of [
      ['TRACE', '/v1/payments'],
      ['GET', 'https://evil.example/v1/payments'],
      ['GET', '@evil.example/'],
      ['GET', '/v1/pay ments'],
      ['GET', '/v1/payments#a'],
      ['GET', '/v1\\payments'],
    ] as const)
      await assert.rejects(client().rawRequest(method, path), (error) => {
        assert.ok(error instanceof PaylinkError && error.code === 'invalid_option', path);
        return true;
      });
    await assert.rejects(client().rawRequest('GET', '/v1/x?a=1', { query: { b: 2 } }), PaylinkError);
    assert.deepEqual([stub.logins.length, stub.calls.length], [0, 0]);
  });
});
