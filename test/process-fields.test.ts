// The fields of a payment request: which values count as omitted, and that a response lists every invalid field,
// whichever part of the service finds it.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { PaymentRequest } from '../src/payments/schema.ts';
import {
  type Answer,
  type Credentials,
  call,
  createLinkAs,
  credentialHeaders,
  type Json,
  logIn,
  orderOf,
  processPayment,
  readAnswer,
} from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';

let paylink: Paylink;
let owner: Credentials;
before(async () => {
  // Generated requests would exceed the company's limit.
  paylink = await startPaylink('server', { settings: { RATE_LIMIT_PROCESS_PER_SECOND: '0' } });
  owner = await logIn(paylink);
});
after(async () => await paylink.stop());

const required: readonly string[] = PaymentRequest.required;
const optional = Object.keys(PaymentRequest.properties).filter((name) => !required.includes(name));

async function sendText(text: string, headers: Record<string, string> = {}): Promise<Answer> {
  const url = `${paylink.baseUrl}/v1/payment/process`;
  const sent = { 'content-type': 'application/json', ...credentialHeaders(owner), ...headers };
  return await readAnswer(await fetch(url, { method: 'POST', headers: sent, body: text }));
}

/** The order as JSON, with members as literal text. */
function withMembers(members: Readonly<Record<string, string>>): string {
  const whole = Object.entries(orderOf()).filter(([name]) => !optional.includes(name) && !(name in members));
  const good = whole.map(([name, value]) => [name, JSON.stringify(value)] as const);
  return `{${[...good, ...Object.entries(members)].map(([name, raw]) => `${JSON.stringify(name)}:${raw}`).join()}}`;
}

type Fault = { field: string; code: string };
const faultsOf = ({ body }: Answer): string[] =>
  (body.errors as Fault[]).map(({ field, code }) => `${field} ${code}`);

test('an optional field that is absent, null or an empty text gives the same result and a replay', async () => {
  for (const name of optional) {
    const { [name]: _, ...order } = orderOf();
    const first = await processPayment(paylink, owner, order);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    for (const empty of [null, '']) {
      const again = await processPayment(paylink, owner, { ...order, [name]: empty });
      const what = `${name}: ${JSON.stringify(empty)} ${JSON.stringify(again.body)}`;
      assert.equal(again.status, 200, what);
      assert.equal(again.headers.get('idempotent-replayed'), 'true', what);
      const [{ responseMessage: _first, ...one }, { responseMessage: _again, ...other }] = [
        first.body,
        again.body,
      ];
      assert.deepEqual(other, one, what);
      const fresh = await processPayment(paylink, owner, {
        ...order,
        customerOrderId: randomUUID(),
        [name]: empty,
      });
      assert.deepEqual(
        fresh.body[name === 'expiresAt' ? 'status' : name],
        first.body[name === 'expiresAt' ? 'status' : name],
        what,
      );
    }
  }
});

test('under one Idempotency-Key, absent, null and empty text are the same request', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const order = { ...orderOf(), customerOrderId: randomUUID() } as Json;
  for (const name of optional) delete order[name];
  const bodies = [order, { ...order, phone: null, metadata: null }, { ...order, locale: '', expiresAt: '' }];
  const codes = new Set<unknown>();
  for (const body of bodies) {
    const answer = await sendText(JSON.stringify(body), headers);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    codes.add(answer.body.PaymentLinkCode);
  }
  assert.equal(codes.size, 1);
});

test('null in a field that is required, in a value of metadata, or as the amount of a refund is refused', async () => {
  for (const name of ['customerOrderId', 'email', 'amount', 'currency', 'success_url', 'failure_url'])
    assert.deepEqual(faultsOf(await sendText(withMembers({ [name]: 'null' }))), [`${name} wrong_type`]);
  assert.deepEqual(faultsOf(await sendText(withMembers({ metadata: '{"a":null}' }))), [
    'metadata.a wrong_type',
  ]);
  const { link, code } = await createLinkAs(paylink, owner, {});
  await payWith(link, { number: '4242424242424242' });
  const refund = await call(paylink, owner, ['POST', `/v1/payments/${code}/refunds`], { amount: null });
  assert.deepEqual([refund.status, faultsOf(refund)], [422, ['amount wrong_type']]);
});

const long = (length: number) => JSON.stringify('x'.repeat(length));
const urls = [
  '5',
  '""',
  '"/relative"',
  '"https://a b/"',
  '"https://u:p@shop.example/"',
  long(2049),
  '"\\u0000"',
];
/** Invalid members for each field, found when reading JSON, by the schema, or by the use case. */
const planted: Readonly<Record<string, readonly string[]>> = {
  customerOrderId: ['5', 'null', '""', '"   "', '"a\\u200bb"', '"\\ud800"', long(129), '" A-1"'],
  email: ['true', '"nobody"', '"a\\u0000@b"', '"a\\u200b@b.example"', long(300)],
  amount: ['"19.99"', '-1', '0', '19.999', '1e9', '19.990000000000000001', 'null'],
  currency: ['5', '"GBP"', '""'],
  success_url: urls,
  failure_url: urls,
  firstName: ['5', long(101), '"a\\u0007"', '"\\udc00"'],
  lastName: ['{}', long(101), '"a\\u0007"'],
  phone: ['5', '"12"', '"call me"', long(40)],
  description: ['[]', long(501), '"a\\u0007"', '"\\u0000"'],
  expiresAt: ['5', '"tomorrow"', '"2020-01-01T00:00:00Z"', '"2200-01-01T00:00:00Z"', long(41)],
  locale: ['5', '"german!"', long(36)],
  metadata: [
    '5',
    '{"amount":5}',
    '{"amount":1.00000000000000000001}',
    '{"":"x"}',
    `{${long(41)}:"x"}`,
    '{"a\\u200b":"x"}',
    `{"a":${long(501)}}`,
    '{"a":"\\u0000"}',
    '{"a":{"b":19.990000000000000001}}',
    `{${Array.from({ length: 21 }, (_, at) => `"k${at}":"x"`).join()}}`,
  ],
  amuont: ['5', '"\\u0000"'],
  ['__proto__']: ['{}'],
};

test('each invalid field is also reported if other fields are invalid', async () => {
  const alone = new Map<string, string[]>();
  for (const [name, raws] of Object.entries(planted))
    for (const raw of raws) {
      const answer = await sendText(withMembers({ [name]: raw }));
      assert.equal(answer.status, 422, `${name}: ${raw} ${JSON.stringify(answer.body)}`);
      const faults = faultsOf(answer);
      assert.ok(
        faults.length > 0 &&
          faults.every((fault) => fault.startsWith(name === '__proto__' ? '__proto__' : name)),
        `${name}: ${raw} ${faults}`,
      );
      alone.set(`${name} ${raw}`, faults);
    }
  const choice = fc.record(
    Object.fromEntries(
      Object.entries(planted).map(([name, raws]) => [name, fc.option(fc.constantFrom(...raws))]),
    ),
  );
  await fc.assert(
    fc.asyncProperty(choice, async (chosen) => {
      const members = Object.entries(chosen).filter(
        (member): member is [string, string] => member[1] !== null,
      );
      if (members.length === 0) return;
      const named = new Set(faultsOf(await sendText(withMembers(Object.fromEntries(members)))));
      for (const [name, raw] of members)
        for (const fault of alone.get(`${name} ${raw}`) ?? [])
          assert.ok(named.has(fault), `${fault} of ${name}: ${raw} is missing in ${[...named]}`);
    }),
    { numRuns: 150 },
  );
});

test('an error inside an object has its path, whichever part of the service finds it', async () => {
  const path = async (raw: string) => faultsOf(await sendText(withMembers({ metadata: raw })));
  assert.deepEqual(await path('{"amount":1.00000000000000000001}'), ['metadata.amount not_exact']);
  assert.deepEqual(await path('{"amount":19.99}'), ['metadata.amount wrong_type']);
  assert.deepEqual(await path('{"a":[{"b":"\\u0000"}]}'), [
    'metadata.a.0.b not_text',
    'metadata.a wrong_type',
  ]);
});

test('names of metadata are counted in code points, like values, and an empty name is reported as empty', async () => {
  const send = async (name: string) =>
    await processPayment(paylink, owner, orderOf({ metadata: { [name]: '💳'.repeat(500) } }));
  assert.equal((await send('💳'.repeat(40))).status, 200);
  assert.deepEqual(faultsOf(await send('💳'.repeat(41))), [`metadata.${'💳'.repeat(41)} too_long`]);
  const { body } = await send('');
  assert.deepEqual(body.errors, [
    { field: 'metadata', code: 'too_short', detail: 'A name must not be empty.' },
  ]);
});

/** Characters that are displayed as nothing or as a blank. */
const invisible = {
  'a Hangul filler': '\u3164',
  'a half-width Hangul filler': '\uffa0',
  'a variation selector': '\ufe0f',
  'a Mongolian variation selector': '\u180b',
  'a combining grapheme joiner': '\u034f',
  'a zero-width joiner': '\u200d',
  'a zero-width non-joiner': '\u200c',
  'a soft hyphen': '\u00ad',
  'a tag': '\u{e0041}',
  'a byte order mark': '\ufeff',
};
const blanks = {
  'a space': ' ',
  'a no-break space': '\u00a0',
  'an ideographic space': '\u3000',
  'a Braille blank': '\u2800',
};

test('two order IDs cannot differ only in an invisible character', async () => {
  const codeOf = async (customerOrderId: string) => {
    const { status, body } = await processPayment(paylink, owner, orderOf({ customerOrderId }));
    return status === 200
      ? 'taken'
      : (body.errors as Fault[]).map(({ field, code }) => `${field} ${code}`).join();
  };
  for (const [name, character] of Object.entries(invisible))
    for (const id of [character, `A-1${character}`, `A${character}-1`])
      assert.equal(await codeOf(id), 'customerOrderId not_printable', `${name} in ${JSON.stringify(id)}`);
  for (const [name, character] of Object.entries(blanks)) {
    assert.equal(await codeOf(character.repeat(3)), 'customerOrderId not_printable', name);
    for (const id of [`A-1${character}`, `${character}A-1`])
      assert.equal(await codeOf(id), 'customerOrderId wrong_format', name);
    assert.equal(await codeOf(`A${character}${randomUUID()}`), 'taken', name);
  }
  for (const id of ['Büro 7/é', '订单-1', 'طلب ١', '⠓⠊', '💳 1'])
    assert.equal(await codeOf(`${id} ${randomUUID()}`), 'taken', id);
});

test('identifying names cannot have hidden characters, and free texts can', async () => {
  const hidden = 'Ada\u200b';
  const faults = async (fields: Json) => faultsOf(await processPayment(paylink, owner, orderOf(fields)));
  assert.deepEqual(await faults({ email: `${hidden}@example.com` }), ['email wrong_format']);
  assert.deepEqual(await faults({ metadata: { [hidden]: 'x' } }), [`metadata.${hidden} not_printable`]);
  assert.deepEqual(await faults({ metadata: { '\u2800': 'x' } }), ['metadata.\u2800 not_printable']);
  const persian = await processPayment(
    paylink,
    owner,
    orderOf({ firstName: 'می\u200cخواهم', description: 'می\u200cخواهم' }),
  );
  assert.equal(persian.status, 200, JSON.stringify(persian.body));
  for (const name of ['Shop\u3164', '\u2800', 'Shop\ufe0f']) {
    const company = await call(paylink, owner, ['PATCH', '/v1/company'], { name });
    const key = await call(paylink, owner, ['POST', '/v1/api-keys'], { name });
    assert.deepEqual(
      [company.status, faultsOf(company)],
      [422, ['name not_printable']],
      JSON.stringify(name),
    );
    assert.deepEqual([key.status, faultsOf(key)], [422, ['name wrong_format']], JSON.stringify(name));
  }
});
