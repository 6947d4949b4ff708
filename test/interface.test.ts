// The interface in the user's specification, called by a client that knows nothing else, on both databases.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Answer,
  type Credentials,
  credentialHeaders,
  type Json,
  logIn,
  orderOf,
  post,
  processPayment,
  readAnswer,
  repeatRefused,
  sendRaw,
} from './harness/client.ts';
import { engines, type Paylink, password, startPaylink } from './harness/paylink.ts';

function assertProblem(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.equal(answer.headers.get('x-response-code'), String(status));
  for (const [name, value] of Object.entries({ status, code, responseCode: String(status) }))
    assert.equal(answer.body[name], value, name);
  for (const name of ['type', 'title', 'detail', 'instance', 'requestId', 'responseMessage'])
    assert.equal(typeof answer.body[name], 'string', name);
  assert.ok(Array.isArray(answer.body.errors));
}

const fieldsOf = (answer: Answer) => (answer.body.errors as { field: string }[]).map(({ field }) => field);

for (const engine of engines) {
  describe(`the interface on the ${engine} database`, () => {
    let paylink: Paylink;
    let credentials: Credentials;
    before(async () => {
      paylink = await startPaylink(engine);
      credentials = await logIn(paylink);
    });
    after(async () => await paylink.stop());
    const process = async (body: unknown, changed: Partial<Credentials> = {}) =>
      await processPayment(paylink, { ...credentials, ...changed }, body);

    test('a login returns every field and header of the interface', async () => {
      const { email } = paylink.merchant;
      const answer = await post(`${paylink.baseUrl}/v1/auth/login`, { email: email.toUpperCase(), password });
      assert.equal(answer.status, 200);
      assert.equal(answer.body.email, email);
      assert.equal(answer.body.accountId, paylink.merchant.accountId);
      assert.deepEqual(answer.body.roles, ['owner']);
      assert.match(String(answer.body.token), /^[\w-]+\.[\w-]+\.[\w-]+$/);
      assert.equal(answer.body.redirectPath, '/dashboard');
      assert.match(answer.headers.get('x-api-key') ?? '', /^plk_test_/);
      assert.equal(answer.headers.get('x-company-id'), paylink.merchant.companyId);
      assert.deepEqual(Object.keys(answer.body).sort(), [
        'accountId',
        'email',
        'expiresAt',
        'mode',
        'redirectPath',
        'roles',
        'token',
      ]);
    });

    test('a payment request returns every field of the interface, with its type', async () => {
      const order = orderOf();
      const answer = await process(order);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal(answer.headers.get('x-response-code'), '200');
      assert.match(answer.headers.get('deprecation') ?? '', /^@\d+$/);
      assert.match(answer.headers.get('link') ?? '', /rel="deprecation"/);
      const { body } = answer;
      assert.equal(body.country, 'GB');
      assert.match(String(body.CreatedOn), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.equal(body.currency, 'EUR');
      assert.equal(body.customerOrderId, order.customerOrderId);
      assert.equal(body.PaymentLink, `${paylink.baseUrl}/pay/${body.PaymentLinkCode}`);
      assert.match(String(body.PaymentLinkCode), /^[0-9A-Za-z]{30}$/);
      assert.equal(body.responseCode, '200');
      assert.equal(typeof body.responseMessage, 'string');
      assert.equal(body.amount, 19.99);
      assert.equal(body.status, 'open');
    });

    test('a repeated request returns the same link and is marked as a replay', async () => {
      const order = orderOf({ metadata: { b: '2', a: '1' } });
      const first = await process(order);
      const second = await process({ ...order, metadata: { a: '1', b: '2' } });
      assert.equal(second.status, 200);
      assert.equal(second.headers.get('idempotent-replayed'), 'true');
      assert.equal(first.headers.get('idempotent-replayed'), null);
      assert.equal(second.body.PaymentLinkCode, first.body.PaymentLinkCode);
      assert.notEqual(second.body.responseMessage, first.body.responseMessage);
    });

    test('the same order with other details is a conflict that names the differing fields', async () => {
      const order = orderOf();
      await process(order);
      const answer = await process({ ...order, amount: 20, email: 'other@example.com' });
      assertProblem(answer, 409, 'order_conflict');
      assert.deepEqual(fieldsOf(answer), ['amount', 'email']);
    });

    test('200 concurrent requests with the same order create one row and one link', async () => {
      const order = orderOf();
      let calls = 0;
      const send = async () => {
        calls += 1;
        return await process(order);
      };
      const answers = await Promise.all(Array.from({ length: 200 }, async () => await repeatRefused(send)));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      assert.equal(new Set(answers.map(({ body }) => body.PaymentLink)).size, 1);
      const first = answers.filter(({ headers }) => !headers.get('idempotent-replayed'));
      // If calls were refused, the one that created the link may be among them.
      assert.ok(calls === 200 ? first.length === 1 : first.length <= 1, `${first.length} of ${calls}`);
      const rows = await paylink.app.deps.db.asOwner.query<{ count: number }>(
        'select count(*) as count from payments where customer_order_id = $1',
        [order.customerOrderId],
      );
      assert.equal(rows[0]?.count, 1);
    });

    test('two companies may use the same order ID', async () => {
      const other = await logIn(paylink, await paylink.createMerchant());
      const order = orderOf();
      const [one, two] = [await process(order), await processPayment(paylink, other, order)];
      assert.deepEqual([one.status, two.status], [200, 200]);
      assert.notEqual(one.body.PaymentLinkCode, two.body.PaymentLinkCode);
    });

    for (const [amount, stored] of [
      ['19.99', 1999],
      ['1e2', 10000],
      ['0.1', 10],
      ['0.01', 1],
      ['10000000.00', 1_000_000_000],
    ] as const) {
      test(`the amount ${amount} is stored as ${stored} cents`, async () => {
        const order = orderOf({ amount: 'AMOUNT' });
        const answer = await process(JSON.stringify(order).replace('"AMOUNT"', amount));
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        const rows = await paylink.app.deps.db.asOwner.query<{ amount: number }>(
          'select amount_minor as amount from payments where code = $1',
          [answer.body.PaymentLinkCode],
        );
        assert.equal(rows[0]?.amount, stored);
      });
    }

    const badAmounts = [
      '19.999',
      '0',
      '-1',
      '10000000.01',
      '1e400',
      '19.990000000000000001',
      '"19.99"',
      'null',
      '[1]',
      'true',
    ];
    for (const amount of badAmounts) {
      test(`the amount ${amount} is refused with an error for the field`, async () => {
        const order = orderOf({ amount: 'AMOUNT' });
        const answer = await process(JSON.stringify(order).replace('"AMOUNT"', amount));
        assertProblem(answer, 422, 'invalid_fields');
        assert.deepEqual(fieldsOf(answer), ['amount']);
      });
    }

    const badFields: [field: string, value: unknown][] = [
      ['customerOrderId', ''],
      ['customerOrderId', 'x'.repeat(129)],
      ['customerOrderId', 'a\u0007b'],
      ['customerOrderId', 'a\u202eb'],
      ['customerOrderId', 7],
      ['customerOrderId', 'nul\u0000'],
      ['email', 'nobody'],
      ['email', ''],
      ['email', `${'x'.repeat(250)}@example.com`],
      ['currency', 'eur'],
      ['currency', 'GBP'],
      ['phone', '12'],
      ['phone', 'call me'],
      ['phone', '1'.repeat(33)],
      ['success_url', 'javascript:alert(1)'],
      ['success_url', '/relative'],
      ['success_url', 'https://user:secret@shop.example/'],
      ['success_url', 'ftp://shop.example/'],
      ['success_url', 'https://shop.example/a b'],
      ['success_url', `https://shop.example/${'x'.repeat(2048)}`],
      ['success_url', 'https://a;script-src-elem/'],
      ['success_url', 'https://a,default-src/'],
      ['success_url', 'https://*/'],
      ['success_url', 'http://[::1]:8080/'],
      ['failure_url', "https://a'b/"],
      ['failure_url', 'https://'],
      ['failure_url', 'https://shop.example/\nSet-Cookie:x'],
      ['firstName', 'x'.repeat(101)],
      ['lastName', 'a\u0000'],
      ['description', 'x'.repeat(501)],
      ['locale', 'not a tag'],
      ['expiresAt', 'tomorrow'],
      ['expiresAt', '2026-02-30T00:00:00Z'],
      ['expiresAt', '2000-01-01T00:00:00Z'],
      ['metadata', Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 'v']))],
      ['metadata', { ['k'.repeat(41)]: 'v' }],
    ];
    for (const [field, value] of badFields) {
      test(`${field} = ${JSON.stringify(value)?.slice(0, 40)} is refused with an error for the field`, async () => {
        const answer = await process(orderOf({ [field]: value }));
        assertProblem(answer, 422, 'invalid_fields');
        assert.ok(
          fieldsOf(answer).every((name) => name.startsWith(field)),
          JSON.stringify(answer.body.errors),
        );
      });
    }

    for (const field of ['customerOrderId', 'email', 'amount', 'currency', 'success_url', 'failure_url']) {
      test(`a request without ${field} is refused with an error for it`, async () => {
        const { [field]: _left, ...rest } = orderOf();
        const answer = await process(rest);
        assertProblem(answer, 422, 'invalid_fields');
        assert.deepEqual(fieldsOf(answer), [field]);
      });
    }

    test('a request with only the required fields is enough, and gets the company’s country', async () => {
      const { firstName: _f, lastName: _l, phone: _p, ...required } = orderOf();
      const answer = await process(required);
      assert.equal(answer.status, 200);
      assert.equal(answer.body.country, 'DE');
    });

    test('an unknown field is refused by name, with the most similar known name', async () => {
      const answer = await process({ ...orderOf(), succesUrl: 'https://shop.example' });
      assertProblem(answer, 422, 'invalid_fields');
      assert.deepEqual(fieldsOf(answer), ['succesUrl']);
      assert.match(JSON.stringify(answer.body.errors), /Did you mean success_url\?/);
    });

    test('values are never converted: a number as text and a text as number are refused', async () => {
      const answer = await process(orderOf({ amount: '19.99', firstName: 12 }));
      assertProblem(answer, 422, 'invalid_fields');
      assert.deepEqual(fieldsOf(answer).sort(), ['amount', 'firstName']);
    });

    for (const [title, body] of [
      ['half an object', '{"amount":'],
      ['nothing', ''],
      ['bytes that are no UTF-8', '{"email":"\\ud800"}'],
    ] as const) {
      test(`a body of ${title} is refused, and never by a 500`, async () => {
        const answer = await process(body);
        assert.ok([400, 422].includes(answer.status), `${answer.status}`);
        assert.match(answer.headers.get('content-type') ?? '', /problem\+json/);
      });
    }
    for (const body of ['[]', '"text"', '17', 'null', '{"__proto__":{"amount":1}}']) {
      test(`the body ${body} is refused as invalid`, async () => {
        assertProblem(await process(body), 422, 'invalid_fields');
      });
    }

    test('a body of 1 MB is refused', async () => {
      assertProblem(await process(orderOf({ description: 'x'.repeat(1_000_000) })), 413, 'body_too_large');
    });

    test('another content type is refused', async () => {
      const headers = { ...credentialHeaders(credentials), 'content-type': 'text/xml' };
      assertProblem(
        await post(`${paylink.baseUrl}/v1/payment/process`, '<a/>', headers),
        415,
        'unsupported_media_type',
      );
    });

    test('a compressed body is refused, not read as text', async () => {
      const headers = { ...credentialHeaders(credentials), 'content-encoding': 'br' };
      const answer = await post(`${paylink.baseUrl}/v1/payment/process`, orderOf(), headers);
      assertProblem(answer, 415, 'unsupported_media_type');
    });

    test('uncommon methods are also refused with Allow, and never by a 500', async () => {
      for (const method of ['TRACE', 'PROPFIND', 'OPTIONS']) {
        const { status, headers } = await sendRaw(`${paylink.baseUrl}/v1/auth/login`, { method });
        assert.deepEqual({ status, allow: headers.allow }, { status: 405, allow: 'POST' }, method);
      }
    });

    test('metadata is equal in any order of its names', async () => {
      const order = orderOf({ metadata: { 'a,b': 'c', a: 'b,c', Z: '1' } });
      assert.equal((await process(order)).status, 200);
      const again = await process({ ...order, metadata: { Z: '1', a: 'b,c', 'a,b': 'c' } });
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
    });

    test('another method is refused with Allow, an unknown path with 404', async () => {
      const wrongMethod = await readAnswer(await fetch(`${paylink.baseUrl}/v1/payment/process`));
      assertProblem(wrongMethod, 405, 'method_not_allowed');
      assert.equal(wrongMethod.headers.get('allow'), 'POST');
      const login = await readAnswer(await fetch(`${paylink.baseUrl}/v1/auth/login`, { method: 'DELETE' }));
      assertProblem(login, 405, 'method_not_allowed');
      // No file has the second path, but its route allows this method.
      for (const path of ['/v1/nothing', '/docs/static/nothing.js'])
        assertProblem(await readAnswer(await fetch(paylink.baseUrl + path)), 404, 'not_found');
    });

    const wrong: [title: string, changed: Partial<Credentials>, status: number, code: string][] = [
      ['a token that is no token', { token: 'nonsense' }, 401, 'invalid_token'],
      ['a key that is no key', { apiKey: 'plk_test_nonsense' }, 401, 'invalid_api_key'],
      ['a company that is no company', { companyId: 'acme' }, 401, 'invalid_company_id'],
    ];
    for (const [title, changed, status, code] of wrong) {
      test(`${title} is refused with ${status}`, async () => {
        const answer = await process(orderOf(), changed);
        assertProblem(answer, status, code);
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer realm=/);
        assert.equal(fieldsOf(answer).length, 1);
      });
    }

    test('each missing credential is refused with 401, with the name of the header', async () => {
      const names = { token: 'Authorization', apiKey: 'X-API-KEY', companyId: 'X-COMPANY-ID' };
      for (const [name, header] of Object.entries(names)) {
        const { [name as keyof Credentials]: _left, ...rest } = credentials;
        const answer = await processPayment(paylink, rest, orderOf());
        assertProblem(answer, 401, 'missing_credentials');
        assert.deepEqual(fieldsOf(answer), [header]);
      }
      const none = await processPayment(paylink, {}, orderOf());
      assert.deepEqual(fieldsOf(none), ['Authorization', 'X-API-KEY', 'X-COMPANY-ID']);
    });

    test('credentials of two companies, in any mixture, are refused with 403', async () => {
      const other = await logIn(paylink, await paylink.createMerchant());
      for (const name of ['token', 'apiKey', 'companyId'] as const) {
        const answer = await process(orderOf(), { [name]: other[name] });
        assertProblem(answer, 403, 'credentials_mismatch');
      }
    });

    test('a key with one digit changed is refused', async () => {
      const last = credentials.apiKey.at(-1) === '0' ? '1' : '0';
      assertProblem(
        await process(orderOf(), { apiKey: credentials.apiKey.slice(0, -1) + last }),
        401,
        'invalid_api_key',
      );
    });

    test('a viewer cannot request payments, and the error lists the roles that can', async () => {
      const viewer = await logIn(paylink, await paylink.createMerchant({ roles: ['viewer'] }));
      // Refused before the body is read: a caller without the right learns nothing about errors in it.
      const answer = await processPayment(paylink, viewer, { wrong: true });
      assertProblem(answer, 403, 'role_not_allowed');
      assert.match(String(answer.body.detail), /owner, admin, developer, support/);
    });

    test('a wrong password and an unknown address get the same response', async () => {
      const url = `${paylink.baseUrl}/v1/auth/login`;
      const wrongPassword = await post(url, { email: paylink.merchant.email, password: 'wrong' });
      const unknown = await post(url, { email: 'nobody@example.com', password: 'wrong' });
      for (const answer of [wrongPassword, unknown]) assertProblem(answer, 401, 'wrong_login');
      const bare = ({ body }: Answer): Json => ({ ...body, instance: '', requestId: '' });
      assert.deepEqual(bare(wrongPassword), bare(unknown));
    });

    for (const body of [
      {},
      { email: 'a@b' },
      { email: 7, password: 'x' },
      { email: 'a@b.c', password: 'x', admin: true },
    ]) {
      test(`the login body ${JSON.stringify(body)} is refused with 422`, async () => {
        assertProblem(await post(`${paylink.baseUrl}/v1/auth/login`, body), 422, 'invalid_fields');
      });
    }

    test('links are built from the settings, whatever the Host header says', async () => {
      const { text } = await sendRaw(`${paylink.baseUrl}/v1/payment/process`, {
        method: 'POST',
        headers: {
          ...credentialHeaders(credentials),
          'content-type': 'application/json',
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
        },
        body: JSON.stringify(orderOf()),
      });
      assert.ok(String(JSON.parse(text).PaymentLink).startsWith(`${paylink.baseUrl}/pay/`));
    });
  });
}
