import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import {
  createPaylink,
  PaylinkApiError,
  PaylinkConnectionError,
  PaylinkError,
  type PaylinkOptions,
  PaylinkTimeoutError,
  type PaymentRequest,
} from '../../sdk/src/index.ts';
import {
  answer,
  cutInHalf,
  cutOff,
  grantLogin,
  hang,
  openStub,
  type Reply,
  refuse,
  type Stub,
  stubKey,
  stubPassword,
  stubToken,
} from './stub.ts';

const order: PaymentRequest = {
  customerOrderId: 'order-1',
  email: 'ada@example.com',
  amount: 19.99,
  currency: 'EUR',
  success_url: 'https://shop.example/thanks',
  failure_url: 'https://shop.example/sorry',
};

/** Returns the error that the work throws. Fails unless it is of this class. */
async function thrownBy<E extends Error>(
  kind: abstract new (...given: never[]) => E,
  work: Promise<unknown>,
) {
  const error = await work.then(
    () => assert.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof kind, inspect(error));
  return error;
}

describe('calls of the SDK', () => {
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

  const login = { email: 'owner@example.com', password: stubPassword };
  const client = (options: Partial<PaylinkOptions> = {}) =>
    createPaylink({ baseUrl: stub.baseUrl, ...login, ...options } as PaylinkOptions);
  const keysSent = () => stub.calls.map(({ headers }) => headers['idempotency-key']);

  describe('credentials', () => {
    test('nothing is sent before the first call, and 50 concurrent first calls log in once', async () => {
      const paylink = client();
      assert.equal(stub.logins.length, 0);
      await Promise.all(Array.from({ length: 50 }, async () => await paylink.payments.get('c')));
      assert.deepEqual([stub.logins.length, stub.calls.length], [1, 50]);
      const { headers } = stub.calls[0] ?? assert.fail();
      assert.equal(headers.authorization, `Bearer ${stubToken(1)}`);
      assert.equal(headers['x-api-key'], stubKey);
      assert.equal(headers['x-company-id'], 'co_stub');
      assert.deepEqual(JSON.parse(stub.logins[0]?.body ?? ''), login);
    });

    test('a token is renewed shortly before it expires, and not earlier', async () => {
      const paylink = client();
      await paylink.payments.get('c');
      for (const minutes of [58, 59.5]) {
        mock.timers.enable({ apis: ['Date'], now: Date.now() + minutes * 60_000 });
        await paylink.payments.get('c').finally(() => mock.timers.reset());
      }
      const tokens = stub.calls.map(({ headers }) => headers.authorization);
      assert.deepEqual(
        tokens,
        [1, 1, 2].map((count) => `Bearer ${stubToken(count)}`),
      );
    });

    test('a local clock that is hours ahead does not cause a login for every call', async () => {
      const inThePast: Reply = (response) => {
        response.setHeader('date', new Date(Date.now() - 7_200_000).toUTCString());
        grantLogin(1, -3_600_000)(response, { method: '', path: '', headers: {}, body: '' });
      };
      stub.replyToLoginsWith(inThePast);
      const paylink = client();
      await paylink.payments.get('c');
      await paylink.payments.get('c');
      assert.equal(stub.logins.length, 1);
    });

    test('after a 401 it logs in again, once for all callers, and repeats the call with the same key', async () => {
      const paylink = client();
      await paylink.payments.get('c');
      stub.reset();
      const refusal = refuse(401, 'invalid_token');
      stub.replyWith(refusal, refusal, refusal);
      await Promise.all([1, 2, 3].map(async () => await paylink.payments.cancel('c')));
      assert.deepEqual([stub.logins.length, stub.calls.length], [1, 6]);
      assert.equal(new Set(keysSent()).size, 3);
    });

    test('a late 401 of the old token does not end the new login', async () => {
      const paylink = client();
      await paylink.payments.get('c');
      stub.reset();
      let refuseLate = () => {};
      const late: Reply = (response, heard) => {
        refuseLate = () => refuse(401, 'invalid_token')(response, heard);
      };
      stub.replyWith(late, refuse(401, 'invalid_token'));
      const slow = paylink.payments.get('c');
      while (stub.calls.length === 0) await new Promise(setImmediate);
      await paylink.payments.get('c');
      refuseLate();
      await slow;
      assert.equal(stub.logins.length, 1);
    });

    test('a second 401 is thrown', async () => {
      stub.replyWith(refuse(401, 'invalid_token'), refuse(401, 'invalid_api_key'), answer(200));
      const error = await thrownBy(PaylinkApiError, client().payments.get('c'));
      assert.equal(error.code, 'invalid_api_key');
      assert.equal(stub.calls.length, 2);
    });

    test('a refused login is thrown to every caller, not repeated, and attempted again by the next call', async () => {
      stub.replyToLoginsWith(refuse(401, 'wrong_login'));
      const paylink = client();
      const calls = [paylink.payments.get('c'), paylink.payments.get('c')];
      for (const call of calls) assert.equal((await thrownBy(PaylinkApiError, call)).code, 'wrong_login');
      assert.deepEqual([stub.logins.length, stub.calls.length], [1, 0]);
      await paylink.payments.get('c');
      assert.equal(stub.logins.length, 2);
    });

    test('given credentials are used as they are, and their 401 is thrown', async () => {
      const credentials = { token: 't', apiKey: 'k', companyId: 'co_1' };
      const paylink = createPaylink({ baseUrl: stub.baseUrl, credentials });
      await paylink.payments.get('c');
      assert.equal(stub.calls[0]?.headers.authorization, 'Bearer t');
      stub.replyWith(refuse(401, 'expired_token'));
      assert.equal((await thrownBy(PaylinkApiError, paylink.payments.get('c'))).code, 'expired_token');
      assert.equal(stub.logins.length, 0);
    });

    test('neither a client nor an error shows a password, a token or a key', async () => {
      const paylink = client({ maxRetries: 0 });
      const shown = async (reply: Reply, timeoutMs = 5_000) => {
        stub.replyWith(reply);
        const error = await thrownBy(PaylinkError, paylink.payments.create(order, { timeoutMs }));
        return inspect(error, { depth: 20, showHidden: true, getters: true }) + JSON.stringify(error);
      };
      const refusal = refuse(422, 'invalid_fields');
      const errors = [await shown(cutOff), await shown(hang, 500), await shown(refusal)];
      const whole = inspect(paylink, { depth: 20, showHidden: true, getters: true });
      const texts = [whole, String(paylink), JSON.stringify(paylink), ...errors].join('\n');
      assert.match(texts, /invalid_fields/);
      for (const secret of [stubPassword, stubToken(1), stubKey]) assert.ok(!texts.includes(secret));
    });
  });

  describe('retries', () => {
    const passing: [string, Reply][] = [
      ['a connection that ends without an answer', cutOff],
      ['a connection that ends in the middle of the answer', cutInHalf],
      ['a 500', refuse(500, 'internal_error')],
      ['a 502 of a proxy that knows no JSON', (response) => void response.writeHead(502).end('<h1>Bad</h1>')],
      ['a 503', refuse(503, 'unavailable', { 'retry-after': '0' })],
      ['a 504', answer(504)],
      ['a 429', refuse(429, 'rate_limited', { 'retry-after': '0' })],
      ['a request that is still running under its key', refuse(409, 'idempotency_in_progress')],
    ];
    for (const [title, reply] of passing) {
      test(`${title} is retried with one idempotency key`, async () => {
        stub.replyWith(reply, reply, answer(200, { PaymentLinkCode: 'made' }));
        assert.equal((await client().payments.create(order)).PaymentLinkCode, 'made');
        assert.equal(stub.calls.length, 3);
        assert.equal(new Set(keysSent()).size, 1);
        assert.match(String(keysSent()[0]), /^[0-9a-f]{32}$/);
        assert.deepEqual(new Set(stub.calls.map(({ body }) => body)), new Set([JSON.stringify(order)]));
      });
    }

    test('an attempt without a response is retried', async () => {
      const open = answer(200, { status: 'open' });
      // On a busy machine, the time of a later attempt may also be over before its response.
      stub.replyWith(hang, open, open, open);
      assert.equal((await client({ timeoutMs: 2_000 }).payments.get('c')).status, 'open');
    });

    test('a login that fails temporarily is retried', async () => {
      stub.replyToLoginsWith(cutOff, refuse(503, 'unavailable'));
      await client().payments.get('c');
      assert.equal(stub.logins.length, 3);
    });

    test('each call has its own key, unless the caller sets one; reading calls have none', async () => {
      const paylink = client();
      await paylink.payments.refund('c', { amount: 5 });
      await paylink.payments.refund('c', { amount: 5 });
      await paylink.payments.refund('c', { amount: 5 }, { idempotencyKey: 'mine' });
      await paylink.payments.get('c');
      const [one, two, three, four] = keysSent();
      assert.notEqual(one, two);
      assert.deepEqual([three, four], ['mine', undefined]);
      assert.equal(stub.logins[0]?.headers['idempotency-key'], undefined);
    });

    test('a refusal is not repeated', async () => {
      for (const status of [400, 403, 404, 409, 412, 422]) {
        stub.reset();
        stub.replyWith(refuse(status, 'some_code'));
        const error = await thrownBy(PaylinkApiError, client().payments.create(order));
        assert.equal(error.status, status);
        assert.equal(stub.calls.length, 1);
      }
    });

    test('after the allowed number of retries, the last error is thrown', async () => {
      stub.replyWith(cutOff, refuse(500, 'internal_error'), refuse(503, 'unavailable'), answer(200));
      const error = await thrownBy(PaylinkApiError, client({ maxRetries: 2 }).payments.get('c'));
      assert.equal(error.code, 'unavailable');
      assert.equal(stub.calls.length, 3);
    });

    test('if the wait would exceed the deadline, the refusal is thrown at once', async () => {
      stub.replyToLoginsWith(refuse(429, 'login_paused', { 'retry-after': '1800' }));
      const error = await thrownBy(PaylinkApiError, client().payments.get('c'));
      assert.deepEqual([error.code, error.retryAfterSeconds], ['login_paused', 1_800]);
    });

    test('a redirect is not followed, so that no other host gets the credentials', async () => {
      stub.replyWith(answer(302, {}, { location: `${stub.baseUrl}/elsewhere` }));
      const error = await thrownBy(PaylinkApiError, client().payments.get('c'));
      assert.deepEqual([error.status, error.code], [302, 'unreadable_answer']);
      assert.equal(stub.calls.length, 1);
    });
  });

  describe('time-outs and aborts', () => {
    test('a service that never responds causes a time-out, for each attempt and for the whole call', async () => {
      const counted = mock.fn(fetch);
      const paylink = client({ maxRetries: 1, fetch: counted });
      await paylink.payments.get('c');
      counted.mock.resetCalls();
      stub.replyWith(hang, hang);
      const perAttempt = paylink.payments.get('c', { timeoutMs: 1_000 });
      assert.equal((await thrownBy(PaylinkTimeoutError, perAttempt)).code, 'timeout');
      assert.equal(counted.mock.callCount(), 2);
      stub.replyWith(hang);
      const whole = await thrownBy(PaylinkTimeoutError, client({ deadlineMs: 300 }).payments.get('c'));
      assert.match(whole.message, /not done within 300 ms/);
    });

    test('the deadline of each caller includes a login that hangs', async () => {
      stub.replyToLoginsWith(hang);
      const paylink = client();
      const error = await thrownBy(PaylinkTimeoutError, paylink.payments.get('c', { deadlineMs: 100 }));
      assert.match(error.message, /not done within 100 ms/);
    });

    test('an abort ends the call at once with its reason, during a request and during a wait', async () => {
      const reason = new Error('the customer left');
      const askToWait = refuse(503, 'unavailable', { 'retry-after': '60' });
      for (const [reply, pauseMs] of [
        [hang, 0],
        [askToWait, 50],
      ] as const) {
        stub.replyWith(reply);
        const controller = new AbortController();
        const call = client().payments.get('c', { signal: controller.signal });
        const ended = assert.rejects(call, (error) => error === reason);
        while (stub.calls.length === 0) await new Promise(setImmediate);
        // Meanwhile the refusal has arrived, and the SDK waits.
        await sleep(pauseMs);
        controller.abort(reason);
        await ended;
        stub.reset();
      }
    });

    test('another fetch causes the same errors, even if it handles the signal differently or ignores it', async () => {
      const ownWay: typeof fetch = (_input, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('its own error')));
        });
      const deaf: typeof fetch = () => new Promise(() => undefined);
      const credentials = { token: 't', apiKey: 'k', companyId: 'co_1' };
      for (const given of [ownWay, deaf]) {
        const paylink = createPaylink({ baseUrl: stub.baseUrl, credentials, fetch: given, maxRetries: 0 });
        await thrownBy(PaylinkTimeoutError, paylink.payments.get('c', { timeoutMs: 50 }));
        const controller = new AbortController();
        const ended = assert.rejects(paylink.payments.get('c', { signal: controller.signal }), /has left/);
        controller.abort(new Error('the customer has left'));
        await ended;
      }
    });

    test('with an aborted signal nothing is sent', async () => {
      const signal = AbortSignal.abort(new Error('too late'));
      await assert.rejects(client().payments.get('c', { signal }), /too late/);
      assert.deepEqual([stub.calls.length, stub.logins.length], [0, 0]);
    });

    test('an abort by one caller does not abort the login that others wait for', async () => {
      let finishLogin = () => {};
      stub.replyToLoginsWith((response, heard) => {
        finishLogin = () => grantLogin(1)(response, heard);
      });
      const paylink = client();
      const controller = new AbortController();
      const left = assert.rejects(paylink.payments.get('c', { signal: controller.signal }));
      const stays = paylink.payments.get('c');
      while (stub.logins.length === 0) await new Promise(setImmediate);
      controller.abort();
      await left;
      finishLogin();
      await stays;
      assert.equal(stub.logins.length, 1);
    });

    test('a long-lived signal accumulates no listeners', async () => {
      const { signal } = new AbortController();
      const add = mock.method(signal, 'addEventListener');
      const remove = mock.method(signal, 'removeEventListener');
      const paylink = client();
      for (let count = 0; count < 5; count += 1) await paylink.payments.get('c', { signal });
      assert.ok(add.mock.callCount() >= 5);
      assert.equal(add.mock.callCount(), remove.mock.callCount());
    });
  });

  describe('responses', () => {
    test('a refusal has the status, code, fields, request ID and wait', async () => {
      const errors = [{ field: 'amount', code: 'too_precise', detail: 'EUR has at most 2 decimals.' }];
      const problem = { code: 'invalid_fields', detail: 'Correct them.', errors, requestId: 'req_7' };
      stub.replyWith(answer(422, problem));
      const error = await thrownBy(PaylinkApiError, client().payments.create(order));
      assert.deepEqual(
        [error.name, error.status, error.code, error.requestId, error.retryAfterSeconds, error.errors],
        ['PaylinkApiError', 422, 'invalid_fields', 'req_7', null, errors],
      );
      assert.match(error.message, /422 invalid_fields: Correct them\. amount: EUR has at most/);
      assert.ok(error instanceof PaylinkError);
    });

    test('a response that is not JSON is an error, not a payment', async () => {
      stub.replyWith((response) => void response.end('<h1>Welcome to the proxy</h1>'));
      const error = await thrownBy(PaylinkApiError, client().payments.get('c'));
      assert.deepEqual([error.status, error.code], [200, 'unreadable_answer']);
    });

    test('an unreachable service is a failed connection', async () => {
      const paylink = client({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
      assert.equal((await thrownBy(PaylinkConnectionError, paylink.payments.get('c'))).code, 'connection');
    });

    test('onAnswer gets the status and headers of the final response', async () => {
      stub.replyWith(refuse(503, 'unavailable'), answer(200, {}, { 'idempotent-replayed': 'true' }));
      const seen: unknown[] = [];
      const onAnswer = ({ status, headers }: { status: number; headers: Headers }) =>
        seen.push(status, headers.get('idempotent-replayed'));
      await client().payments.create(order, { onAnswer });
      assert.deepEqual(seen, [200, 'true']);
    });

    test('characters that would change the address are escaped, and values that cannot be escaped are refused', async () => {
      await client().payments.get('../cases?a#b');
      assert.equal(stub.calls[0]?.path, '/v1/payments/..%2Fcases%3Fa%23b');
      for (const code of ['', '.', '..'])
        assert.equal((await thrownBy(PaylinkError, client().payments.get(code))).code, 'invalid_option');
      assert.equal(stub.calls.length, 1);
    });

    test('invalid options are refused by name', async () => {
      assert.throws(() => client({ timeoutMs: 0 }), /timeoutMs/);
      assert.throws(() => client({ baseUrl: 'ftp://127.0.0.1' }), /baseUrl/);
      const call = client().payments.get('c', { deadlineMs: Number.NaN });
      await assert.rejects(call, /deadlineMs/);
    });
  });
});
