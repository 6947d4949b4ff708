// Exports over the API: their contents, slow readers, and errors in the middle of a file. On PostgreSQL.

import assert from 'node:assert/strict';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Credentials,
  credentialHeaders,
  type Json,
  logIn,
  orderOf,
  post,
  processPayment,
  readAnswer,
} from './harness/client.ts';
import { parseCsv } from './harness/csv.ts';
import { type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';

let paylink: Paylink;
let owner: Credentials;
/** A company whose export takes many batches. */
let big: Credentials;
const bigCount = 30_000;

before(async () => {
  // Without jobs: their queries would count as batches.
  paylink = await startPaylink('server', { isAtWork: false });
  owner = await logIn(paylink);
  const merchant = await paylink.createMerchant();
  big = await logIn(paylink, merchant);
  await fill(merchant);
});
after(async () => await paylink.stop());

async function fill({ companyId }: Merchant): Promise<void> {
  await paylink.app.deps.db.asOwner.query(
    `insert into payments (company_id, payment_id, code, customer_order_id, state, mode, amount_minor, currency, email,
                           country, success_url, failure_url, description, expires_at, created_by, created_at, updated_at)
     select $1, 'pay_' || lpad(i::text, 26, '0'), substr($1, 4) || lpad(i::text, 22, '0'), 'order_' || i, 'failed', 'test',
            100000 + i, 'EUR', 'ada@example.com', 'DE', 'https://shop.example/', 'https://shop.example/', repeat('long ', 90),
            now(), 'acc_x', now(), now()
     from generate_series(1, $2::integer) i`,
    [companyId, bigCount],
  );
}

const urlOf = (query: string) => `${paylink.baseUrl}/v1/exports/payments${query}`;
async function read(query: string, who = owner): Promise<{ headers: Headers; text: string }> {
  const response = await fetch(urlOf(query), { headers: credentialHeaders(who) });
  assert.equal(response.status, 200);
  // As bytes: text() would remove the byte order mark.
  const bytes = Buffer.from(await response.arrayBuffer());
  return { headers: response.headers, text: bytes.toString() };
}

/** Opens an export without reading it. */
async function open(query: string, who: Credentials): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  httpGet(urlOf(query), { headers: credentialHeaders(who) }, resolve).on('error', reject);
  return await promise;
}

type Ending = 'whole' | 'aborted';
async function endOf(answer: IncomingMessage): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  answer.on('end', () => resolve('whole'));
  answer.on('error', () => resolve('aborted'));
  answer.resume();
  return await promise;
}

/** Counts the batches from now on, and fails the one with this number. */
function watchBatches(failAt = 0): { count(): number } & Disposable {
  const { db } = paylink.app.deps;
  const { inTenant } = db;
  let count = 0;
  db.inTenant = async (scope, work) => {
    if (scope.companyId === big.companyId) count += 1;
    if (count === failAt) throw new Error('planted: the database is gone');
    return await inTenant(scope, work);
  };
  return {
    count: () => count,
    [Symbol.dispose]: () => {
      db.inTenant = inTenant;
    },
  };
}

/** Resolves when the response to the next request has ended, as the service sees it. */
const endOfNext = () =>
  new Promise<void>((resolve) => {
    paylink.app.server.server.once('request', (_, response) => response.once('close', resolve));
  });

/** The count once it has stopped growing. */
async function settled(count: () => number): Promise<number> {
  for (let last = -1; ; await pause(400)) {
    if (count() === last) return last;
    last = count();
  }
}

const hostile = {
  customerOrderId: '=1+1',
  firstName: '@SUM(A1)',
  lastName: 'Say "hi", you',
  phone: '+49 30 901820',
  description: '-1\r\nsecond line',
  metadata: { note: '=x' },
};

test('CSV has every field by its API name, escapes formulas, and has exact amounts', async () => {
  for (const fields of [hostile, { amount: 1e7, customerOrderId: 'plain', lastName: 'Çelik' }]) {
    const { body } = await processPayment(paylink, owner, orderOf(fields));
    if (fields.customerOrderId === '=1+1') {
      await payWith(String(body.PaymentLink), { number: '4242424242424242' });
      const refunds = `${paylink.baseUrl}/v1/payments/${body.PaymentLinkCode}/refunds`;
      await post(refunds, { amount: 0.1 }, credentialHeaders(owner));
    }
  }
  const { headers, text } = await read('');
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.equal(headers.get('content-disposition'), 'attachment; filename="payments.csv"');
  assert.ok(text.startsWith('\uFEFF"PaymentLinkCode",'));
  const [names = [], ...rows] = parseCsv(text.slice(1));
  const [first, second] = rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at], cell])));
  assert.equal(rows.length, 2);
  assert.deepEqual(
    [first?.customerOrderId, first?.firstName, first?.lastName, first?.phone, first?.description],
    ["'=1+1", "'@SUM(A1)", 'Say "hi", you', "'+49 30 901820", "'-1\r\nsecond line"],
  );
  assert.deepEqual([first?.amount, first?.refundedAmount, first?.status], ['19.99', '0.10', 'paid']);
  assert.equal(first?.metadata, '{"note":"=x"}');
  assert.deepEqual([second?.amount, second?.lastName], ['10000000.00', 'Çelik']);
});

test('NDJSON has the same rows with unchanged texts', async () => {
  const { headers, text } = await read('?format=ndjson');
  assert.equal(headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
  const rows = text.trimEnd().split('\n');
  const [first] = rows.map((line) => JSON.parse(line) as Json);
  assert.equal(rows.length, 2);
  assert.deepEqual(
    [first?.customerOrderId, first?.phone, first?.amount, first?.metadata, first?.refundedAmount],
    ['=1+1', '+49 30 901820', '19.99', { note: '=x' }, '0.10'],
  );
  assert.equal('responseCode' in (first ?? {}), false);
});

test('the filters of the list apply, also when nothing matches', async () => {
  const ids = async (query: string) =>
    (await read(`?format=ndjson&${query}`)).text
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as Json).customerOrderId);
  assert.deepEqual(await ids('status=paid'), ['=1+1']);
  assert.deepEqual(await ids('text=çel'), ['plain']);
  assert.deepEqual(await ids('customerOrderId=pl*'), ['plain']);
  assert.deepEqual(await ids('currency=USD'), []);
  assert.equal(parseCsv((await read('?currency=USD')).text).length, 1);
  const wrong = await fetch(urlOf('?format=xlsx'), { headers: credentialHeaders(owner) });
  assert.equal(wrong.status, 422);
});

test('an export of many batches has each payment once, oldest first', async () => {
  const { text } = await read('?format=ndjson', big);
  const ids = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as Json).customerOrderId);
  assert.deepEqual(
    ids,
    Array.from({ length: bigCount }, (_, index) => `order_${index + 1}`),
  );
});

test('a reader that stops reading pauses the export, and one that disconnects ends it', async () => {
  using batches = watchBatches();
  const answer = await open('', big);
  answer.once('data', () => answer.pause());
  const held = await settled(batches.count);
  assert.ok(held < 28, `${held} batches were read for a reader who took one`);
  answer.resume();
  assert.equal(await endOf(answer), 'whole');
  assert.ok(batches.count() > 30);
  const ended = endOfNext();
  const gone = await open('', big);
  gone.once('data', () => gone.destroy());
  gone.on('error', () => undefined);
  const before = batches.count();
  await ended;
  assert.ok((await settled(batches.count)) < before + 28);
});

test('a HEAD reads no payment', async () => {
  using batches = watchBatches();
  const response = await fetch(urlOf(''), { method: 'HEAD', headers: credentialHeaders(big) });
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/csv; charset=utf-8']);
  assert.equal(await settled(batches.count), 0);
});

test('an error in the middle aborts the response; one before the first row is a problem document', async () => {
  {
    using _ = watchBatches(12);
    assert.equal(await endOf(await open('', big)), 'aborted');
  }
  {
    using _ = watchBatches(2);
    const refused = await readAnswer(await fetch(urlOf(''), { headers: credentialHeaders(big) }));
    assert.deepEqual([refused.status, refused.body.code], [500, 'internal_error']);
  }
});

test('roles without the right cannot export', async () => {
  const viewer = await logIn(paylink, await paylink.createMerchant({ roles: ['viewer', 'developer'] }));
  const answer = await readAnswer(await fetch(urlOf(''), { headers: credentialHeaders(viewer) }));
  assert.deepEqual([answer.status, answer.body.code], [403, 'role_not_allowed']);
});

/** A separate service with a long export whose reader has paused after the first chunk. */
async function openOnOwn(isSearched: boolean) {
  const own = await startPaylink('server', { isSearched });
  const saved = [paylink, big] as const;
  try {
    paylink = own;
    big = await logIn(own);
    await fill(own.merchant);
    const answer = await open('', big);
    answer.once('data', () => answer.pause());
    await pause(500);
    return { own, answer };
  } finally {
    [paylink, big] = saved;
  }
}

test('a stop does not wait for a reader that does not read, and the file is visibly incomplete', async () => {
  const { own, answer } = await openOnOwn(true);
  await own.stop();
  assert.equal(await endOf(answer), 'aborted');
});

test('a stop waits for a file that is being read', async () => {
  const { own, answer } = await openOnOwn(false);
  const stopped = own.stop();
  await pause(200);
  assert.equal(await endOf(answer), 'whole');
  await stopped;
});

test('a stop waits for a file while the database is slow', async () => {
  const { own, answer } = await openOnOwn(false);
  const { db } = own.app.deps;
  const { inTenant } = db;
  let isSlow = true;
  db.inTenant = async (scope, work) => {
    if (isSlow) await pause(4_000);
    isSlow = false;
    return await inTenant(scope, work);
  };
  const ended = endOf(answer);
  const stopped = own.stop();
  assert.equal(await ended, 'whole');
  assert.equal(isSlow, false, 'a batch came late');
  await stopped;
});
