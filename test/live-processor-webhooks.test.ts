// Recorded webhooks of the live processors' fakes, sent by the test: forged, contradicting, repeated, out of order,
// late. None changes anything; each is logged and counted.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Credentials, call, createLinkAs, logIn } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { listAttempts, openCompany } from './harness/payment-methods.ts';
import { visit } from './harness/visitor.ts';
import type { SentWebhook } from './processors/kit/control.ts';
import type { Replacement } from './processors/kit/rig.ts';
import {
  type Connected,
  connect,
  goToProcessor,
  type Live,
  liveMakers,
  settingsOf,
  startFakes,
  stopFakes,
} from './processors/live.ts';

const hangGuardMs = 60_000;

let lives: Live[] = [];
let paylink: Paylink;
let owner: Credentials;

before(async () => {
  lives = await startFakes();
  // No job queries an attempt meanwhile, so only webhooks can change it.
  paylink = await startPaylink('server', { settings: settingsOf(lives), firstReconcileSeconds: 3_600 });
  owner = await logIn(paylink);
});
after(async () => {
  await paylink?.stop();
  await stopFakes(lives);
});

type Posted = Pick<SentWebhook, 'headers' | 'body'>;
/** A webhook with its index in the fake's list. */
type Recorded = SentWebhook & { place: number };

/** Posts a webhook to the address of a connection. */
async function send({ name, connectionId }: Connected, { headers, body }: Posted): Promise<number> {
  const url = `${paylink.baseUrl}/processors/${name}/webhook/${connectionId}`;
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.text();
  return response.status;
}

async function countOf({ connectionId }: Connected, verdict: string): Promise<number> {
  const [row] = await paylink.app.deps.db.asOwner.query<{ count: number }>(
    'select count::int as count from processor_notice_counts where connection_id = $1 and verdict = $2',
    [connectionId, verdict],
  );
  return row?.count ?? 0;
}

/** How many log lines have a verdict about a connection's webhooks. */
function loggedOf({ connectionId }: Connected, verdict: string): number {
  const lines = paylink.log().split('\n');
  return lines.filter((line) => line.includes(connectionId) && line.includes(`"verdict":"${verdict}"`))
    .length;
}

/** Sends a webhook, whose verdict must be logged and counted once. */
async function sendFor(connected: Connected, verdict: string, posted: Posted): Promise<void> {
  const before = [await countOf(connected, verdict), loggedOf(connected, verdict)] as const;
  assert.equal(await send(connected, posted), verdict === 'forged' ? 400 : 200);
  assert.deepEqual(
    [await countOf(connected, verdict), loggedOf(connected, verdict)],
    before.map((count) => count + 1),
    `counted and logged as ${verdict}`,
  );
}

/** All stored data of a link, as text. */
async function readAll(code: string): Promise<string> {
  const rows: string[] = [];
  for (const table of ['payments', 'attempts', 'refunds', 'ledger_entries', 'events']) {
    const found = await paylink.app.deps.db.asOwner.query<{ row: string }>(
      // safe: the names are literals of this file.
      `select to_jsonb(t)::text as row from ${table} t
       where payment_id = (select payment_id from payments where code = $1) order by 1`,
      [code],
    );
    rows.push(...found.map(({ row }) => `${table} ${row}`));
  }
  return rows.join('\n');
}

/** Fails if `work` changes the stored data of a link. */
async function assertUnchanged(code: string, work: () => Promise<void>): Promise<void> {
  const before = await readAll(code);
  await work();
  assert.equal(await readAll(code), before);
}

/** The webhooks that the fake records during `work`. */
async function record({ rig }: Live, work: () => Promise<unknown>): Promise<Recorded[]> {
  const { length } = await rig.webhooks();
  await work();
  const recorded = (await rig.webhooks()).map((notice, place) => ({ ...notice, place }));
  return recorded.slice(length);
}

type Paid = { code: string; attemptId: string; back: string; notice: Recorded };

/** A customer pays at the processor and closes the window, so the service does not know yet. */
async function payUnreported(connected: Connected, by: Credentials = owner): Promise<Paid> {
  const { rig } = connected;
  const { link, code } = await createLinkAs(paylink, by);
  const url = await goToProcessor(link, connected);
  let back = '';
  const [notice] = await record(connected, async () => {
    back = (await rig.customer.pay(url)).url;
  });
  const attemptId = (await listAttempts(paylink, code)).at(-1)?.id;
  assert.ok(notice && attemptId, 'the processor sends a webhook');
  return { code, attemptId, back, notice };
}

/** False claims of a webhook, and the replaced texts that make them. */
const contradictions: Readonly<Record<string, (connected: Connected) => readonly Replacement[]>> = {
  amount: () => [
    ['"19.99"', '"20.00"'],
    [': 1999,', ': 2000,'],
  ],
  currency: () => [
    ['"EUR"', '"USD"'],
    ['"eur"', '"usd"'],
  ],
  account: ({ connectionId }) => [[connectionId, 'con_01m7wf3wswavyweszg1v4e9mnp']],
};

/** The body with one flipped bit, and the original headers. */
function spoil({ headers, body }: Posted): Posted {
  const place = Math.floor(body.length / 2);
  const changed = String.fromCharCode(body.charCodeAt(place) ^ 1);
  return { headers, body: body.slice(0, place) + changed + body.slice(place + 1) };
}

/** The webhook without its signature. */
function unsign({ headers, body }: Posted): Posted {
  const type = headers['content-type'] ?? '';
  return { headers: { 'content-type': type }, body };
}

/** Waits until a refund of a link has ended. */
async function awaitRefund(code: string, { rig }: Connected): Promise<void> {
  const guard = AbortSignal.timeout(hangGuardMs);
  const path = ['GET', `/v1/payments/${code}`] as const;
  while ((await call(paylink, owner, path)).body.refundedAmount !== 5) {
    assert.ok(!guard.aborted, 'the refund ends');
    await rig.settle();
    await sleep(50);
  }
}

/** Connects a processor whose webhooks are recorded and only sent by the test. */
function useConnection(place: number): () => Connected {
  let connected: Connected;
  before(async () => {
    const live = lives[place];
    assert.ok(live);
    connected = await connect(paylink, owner, live);
    await live.rig.control({ webhooks: { isOn: false } });
  });
  return () => connected;
}

/** Webhooks with false claims. */
function testLies(here: () => Connected, isSigned: boolean): void {
  test('a webhook of another account changes nothing', async () => {
    const connected = here();
    const { code, notice } = await payUnreported(connected);
    const { rig } = connected;
    const stranger = await openCompany(paylink);
    const theirs = { ...connected, rig: { ...rig, connection: rig.otherConnection } };
    const elsewhere = await payUnreported(await connect(paylink, stranger.owner, theirs), stranger.owner);
    await rig.setWebhookUrl(
      `${paylink.baseUrl}/processors/${connected.name}/webhook/${connected.connectionId}`,
    );
    await assertUnchanged(code, async () => {
      await sendFor(connected, 'forged', elsewhere.notice);
      await sendFor(connected, 'forged', spoil(notice));
      if (isSigned) await sendFor(connected, 'forged', unsign(notice));
      await sendFor(connected, 'forged', { ...notice, body: 'id=tr_NobodyHasThisOne' });
    });
  });

  for (const [what, textsOf] of Object.entries(contradictions))
    test(`a correctly signed webhook with another ${what} changes nothing, even if the money arrived`, async () => {
      const connected = here();
      const { code, notice } = await payUnreported(connected);
      const restated = await connected.rig.rewrite(notice.place, textsOf(connected));
      await assertUnchanged(code, async () => await sendFor(connected, 'mismatched', restated));
      assert.match(paylink.log(), new RegExp(`"verdict":"mismatched","why":"${what}"`));
    });
}

/** Genuine webhooks that are repeated, reordered or late. */
function testOldNews(here: () => Connected): void {
  test('a webhook completes its payment; a repeated one changes nothing', async () => {
    const connected = here();
    const { code, notice } = await payUnreported(connected);
    await sendFor(connected, 'accepted', notice);
    assert.deepEqual(
      (await listAttempts(paylink, code)).map(({ state }) => state),
      ['succeeded'],
    );
    await assertUnchanged(code, async () => {
      await sendFor(connected, 'replayed', notice);
      await sendFor(connected, 'replayed', notice);
    });
  });

  test('webhooks of a payment and its refund in the wrong order change nothing', async () => {
    const connected = here();
    const { rig } = connected;
    let code = '';
    const recorded = await record(connected, async () => {
      const paid = await payUnreported(connected);
      ({ code } = paid);
      await visit(paid.back);
      const path = ['POST', `/v1/payments/${code}/refunds`] as const;
      assert.equal((await call(paylink, owner, path, { amount: 5 })).status, 200);
      await rig.settle();
      // No webhook is delivered, so sending the first one again triggers the query about a refund that takes days.
      if ((await call(paylink, owner, ['GET', `/v1/payments/${code}`])).body.refundedAmount !== 5)
        await sendFor(connected, 'accepted', paid.notice);
      await awaitRefund(code, connected);
    });
    assert.ok(recorded.length >= 2, 'both have webhooks');
    await assertUnchanged(code, async () => {
      for (const notice of recorded.toReversed()) assert.equal(await send(connected, notice), 200);
    });
  });

  test('a webhook about an attempt that is already paid changes nothing', async () => {
    const connected = here();
    const { code, back, notice } = await payUnreported(connected);
    assert.match((await visit(back)).url, /shop\.example\/thanks/);
    await assertUnchanged(code, async () => await sendFor(connected, 'accepted', notice));
  });

  test('a webhook about a cancelled attempt changes nothing, whatever it claims', async () => {
    const connected = here();
    const { rig } = connected;
    const { link, code } = await createLinkAs(paylink, owner);
    await visit((await rig.customer.turnBack(await goToProcessor(link, connected))).url);
    const url = await goToProcessor(link, connected);
    const [notice] = await record(connected, async () => {
      await visit((await rig.customer.pay(url)).url);
    });
    const [first, second] = await listAttempts(paylink, code);
    assert.ok(notice && first && second);
    assert.deepEqual([first.state, second.state], ['cancelled', 'succeeded']);
    const aboutFirst = await rig.rewrite(notice.place, [[second.id, first.id]]);
    await assertUnchanged(code, async () => await sendFor(connected, 'accepted', aboutFirst));
  });
}

describe('webhooks as the processors send them', { concurrency: liveMakers.length }, () => {
  for (const [place, { name, features }] of liveMakers.entries())
    describe(`webhooks of ${name}`, { concurrency: 1 }, () => {
      const here = useConnection(place);
      testLies(here, features.webhooks === 'signed');
      testOldNews(here);
    });
});
