// Errors about a client's options, how a client addresses the service, and the texts of its errors.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createPaylink, PaylinkApiError, PaylinkError, type PaylinkOptions } from '../../sdk/src/index.ts';
import { answer, openStub, refuse, type Stub, stubKey } from './stub.ts';

const login = { email: 'ada@example.com', password: 'right horse' };
const credentials = { token: 'tok', apiKey: 'plk_test_x', companyId: 'co_1' };
const serviceKey = `pls_test_3f7k2m9qyt5wp0hy_${'0'.repeat(64)}`;
const baseUrl = 'https://pay.example.com';

const make = (options: unknown) => createPaylink(options as PaylinkOptions);

const mistakes: [title: string, options: unknown, message: RegExp][] = [
  ['no options', undefined, /needs an object of options/],
  ['no address', login, /option baseUrl is missing.*https:\/\/pay\.example\.com/],
  ['an empty address', { ...login, baseUrl: ' ' }, /option baseUrl is empty/],
  ['an address without its scheme', { ...login, baseUrl: 'localhost:3000' }, /baseUrl must begin with http/],
  ['an address that is none', { ...login, baseUrl: 'pay.example.com' }, /baseUrl is not a web address/],
  ['an address with a password', { ...login, baseUrl: 'https://a:secret@pay.example.com' }, /no user name/],
  [
    'an address with a query',
    { ...login, baseUrl: `${baseUrl}?a=secret` },
    /no user name, query or fragment/,
  ],
  ['another spelling', { ...login, baseURL: baseUrl }, /no option baseURL\. Did you mean baseUrl\?/],
  ['an unknown option', { ...login, baseUrl, timeout: 5 }, /no option timeout\. The options are baseUrl, /],
  [
    'an API key alone',
    { baseUrl, apiKey: 'plk_test_secret' },
    /Give a serviceKey, email and password of an account/,
  ],
  ['an empty API key', { ...login, baseUrl, apiKey: '' }, /option apiKey is empty/],
  [
    'credentials beside an API key',
    { baseUrl, credentials, apiKey: 'plk_test_secret' },
    /either credentials or apiKey, not both/,
  ],
  ['no account', { baseUrl }, /Give a serviceKey, email and password of an account, or the credentials/],
  ['an empty service key', { baseUrl, serviceKey: '' }, /option serviceKey is empty/],
  [
    'half a service key',
    { baseUrl, serviceKey: 'pls_test_secret' },
    /serviceKey is not a complete service key/,
  ],
  ['a service key beside a login', { ...login, baseUrl, serviceKey }, /either serviceKey or email, not both/],
  [
    'a service key beside credentials',
    { baseUrl, serviceKey, credentials },
    /either serviceKey or credentials, not both/,
  ],
  ['no password', { baseUrl, email: 'a@example.com' }, /option password is missing/],
  ['an unset variable', { ...login, baseUrl, password: undefined }, /option password is missing/],
  ['an empty password', { ...login, baseUrl, password: '' }, /option password is empty/],
  ['an empty address of an account', { ...login, baseUrl, email: '' }, /option email is empty/],
  ['a mode that does not exist', { ...login, baseUrl, mode: 'prod' }, /mode must be test or live/],
  ['both kinds of credentials', { ...login, baseUrl, credentials }, /either credentials or email, not both/],
  ['an empty key', { baseUrl, credentials: { ...credentials, apiKey: '' } }, /credentials\.apiKey is empty/],
  ['half of the credentials', { baseUrl, credentials: { token: 'tok' } }, /credentials\.apiKey is missing/],
  ['a fetch that is none', { ...login, baseUrl, fetch: 'node-fetch' }, /fetch must be a function/],
];

describe('options', () => {
  for (const [title, options, message] of mistakes) {
    test(`${title}: the constructor throws, and names the option but no value`, () => {
      assert.throws(
        () => make(options),
        (error: unknown) => {
          assert.ok(error instanceof PaylinkError);
          assert.equal(error.code, 'invalid_option');
          assert.match(error.message, message);
          assert.doesNotMatch(error.message, /secret|right horse/);
          return true;
        },
      );
    });
  }
});

describe('calls', () => {
  let stub: Stub;
  before(async () => {
    stub = await openStub();
  });
  after(async () => await stub.stop());

  test('a login sends the account’s known API key, by which the service recognizes the client', async () => {
    const keysSent = () => stub.logins.map(({ headers }) => headers['x-api-key']);
    const own = { baseUrl: stub.baseUrl, email: 'ada@example.com', password: login.password };
    const paylink = createPaylink(own);
    stub.reset();
    stub.replyWith(answer(200), refuse(401, 'invalid_token'));
    await paylink.payments.get('x');
    await paylink.payments.get('x');
    assert.deepEqual(keysSent(), [undefined, stubKey]);
    stub.reset();
    await createPaylink({ ...own, apiKey: 'plk_test_before' }).payments.get('x');
    assert.deepEqual(keysSent(), ['plk_test_before']);
  });

  test('a service key is sent alone and without a login, also after it was refused', async () => {
    stub.reset();
    stub.replyWith(refuse(401, 'invalid_service_key'));
    const paylink = createPaylink({ baseUrl: stub.baseUrl, serviceKey });
    await assert.rejects(paylink.payments.get('x'), { code: 'invalid_service_key' });
    await paylink.payments.get('x');
    assert.equal(stub.logins.length, 0);
    assert.deepEqual(
      stub.calls.map(({ headers }) => [headers.authorization, headers['x-api-key'], headers['x-company-id']]),
      Array(2).fill([`Bearer ${serviceKey}`, undefined, undefined]),
    );
    assert.doesNotMatch(JSON.stringify(paylink), /pls_/);
  });

  for (const end of ['', '/', '/v1', '/v1/', '//v1//']) {
    test(`the address of the service may end in "${end}"`, async () => {
      stub.reset();
      stub.replyWith(answer(200, { PaymentLinkCode: 'x' }));
      await make({ baseUrl: stub.baseUrl + end, credentials }).payments.get('x');
      assert.deepEqual(
        stub.calls.map(({ path }) => path),
        ['/v1/payments/x'],
      );
    });
  }

  const problem = {
    type: 'https://pay.example.com/problems/not_found',
    title: 'There is nothing at this address',
    status: 404,
    detail: 'Check the path.',
    code: 'not_found',
    errors: [],
    requestId: 'req-1',
  };

  test('the message of a refusal has its title and its detail', async () => {
    stub.reset();
    stub.replyWith(answer(404, problem));
    await assert.rejects(make({ baseUrl: stub.baseUrl, credentials }).payments.get('x'), {
      message: '404 not_found: There is nothing at this address. Check the path.',
    });
  });

  /** The line of this file in the stack of an error. */
  const namesThisFile = (error: unknown, functionName: string) => {
    assert.ok(error instanceof PaylinkError);
    assert.match(String(error.stack), new RegExp(`${functionName}.*options\\.test\\.ts:\\d+`));
    return true;
  };

  test('the stack of a refusal, a time-out and a failed connection has the line of the caller', async () => {
    async function askForPayment(paylink: ReturnType<typeof make>) {
      return await paylink.payments.get('x');
    }
    async function goOver(paylink: ReturnType<typeof make>) {
      for await (const payment of paylink.payments.list()) assert.ok(payment);
    }
    const names = (name: string) => (error: unknown) => namesThisFile(error, name);
    const once = { baseUrl: stub.baseUrl, credentials, maxRetries: 0 };
    stub.reset();
    stub.replyWith(answer(404, problem), answer(404, problem));
    await assert.rejects(askForPayment(make(once)), names('askForPayment'));
    await assert.rejects(goOver(make(once)), names('goOver'));
    const away = { baseUrl: 'http://127.0.0.1:1', credentials, maxRetries: 0 };
    await assert.rejects(askForPayment(make(away)), names('askForPayment'));
    const slow = { ...away, timeoutMs: 10, fetch: async () => await new Promise(() => undefined) };
    await assert.rejects(askForPayment(make(slow)), names('askForPayment'));
  });

  test('two callers that wait for one failing login each get a stack with their own line', async () => {
    stub.reset();
    stub.replyToLoginsWith(answer(401, { ...problem, status: 401, code: 'wrong_login' }));
    const paylink = make({ baseUrl: stub.baseUrl, ...login, maxRetries: 0 });
    async function firstCaller() {
      await paylink.payments.get('a');
    }
    async function secondCaller() {
      await paylink.payments.get('b');
    }
    const [first, second] = await Promise.allSettled([firstCaller(), secondCaller()]);
    assert.ok(first.status === 'rejected' && second.status === 'rejected');
    namesThisFile(first.reason, 'firstCaller');
    namesThisFile(second.reason, 'secondCaller');
    assert.ok(!String(second.reason.stack).includes('firstCaller'));
    assert.ok(second.reason instanceof PaylinkApiError && second.reason.code === 'wrong_login');
  });
});
