// One Idempotency-Key with a test and a live key of one account: each mode has its own result.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { assertCaught, forgetModeOfRequests, mixModesOfKeys } from './faults/planted-guards.ts';
import {
  type Answer,
  type Credentials,
  createLinkAs,
  credentialHeaders,
  type Json,
  logIn,
  orderOf,
  post,
} from './harness/client.ts';
import { logInLive } from './harness/modes.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';

const modes = ['test', 'live'] as const;
type Mode = (typeof modes)[number];
type Who = Record<Mode, Credentials>;

/** Requests that work in both modes, with the ID of the result. */
type Asking = { path: string; body: Json; made?: string };
const askings: Readonly<Record<string, (paylink: Paylink, who: Who) => Promise<Asking>>> = {
  'a payment link': async () => ({
    path: '/v1/payment/process',
    body: orderOf(),
    made: 'PaymentLinkCode',
  }),
  'a webhook endpoint': async () => ({
    path: '/v1/webhook-endpoints',
    body: { url: `https://shop.example/${randomUUID()}`, events: ['*'] },
    made: 'id',
  }),
  'an API key': async () => ({ path: '/v1/api-keys', body: { name: 'till', mode: 'test' }, made: 'keyId' }),
  'the end of a link of test mode': async (paylink, who) => ({
    path: `/v1/payments/${(await createLinkAs(paylink, who.test)).code}/cancel`,
    body: {},
  }),
};

const turns = fc.array(fc.constantFrom<readonly Mode[]>(['test'], ['live'], modes, ['live', 'test']), {
  minLength: 2,
  maxLength: 5,
});

const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

/** Fails unless later responses of a mode replay its first one. */
function checkAnswers(answers: readonly Answer[]): void {
  const [first, ...others] = answers;
  if (!first) return;
  const reported = ({ status, body: { requestId: _, ...body } }: Answer) => ({ status, body });
  assert.equal(isReplay(first), false, 'the first of its mode is no replay');
  assert.ok([200, 404].includes(first.status), JSON.stringify(first.body));
  for (const other of others) {
    assert.equal(isReplay(other), true, JSON.stringify(other.body));
    assert.deepEqual(reported(other), reported(first));
  }
}

async function checkModes(paylink: Paylink, numRuns: number): Promise<void> {
  const merchant = await paylink.createMerchant();
  const who: Who = { test: await logIn(paylink, merchant), live: await logInLive(paylink, merchant) };
  const property = fc.asyncProperty(fc.constantFrom(...Object.keys(askings)), turns, async (name, wanted) => {
    const { path, body, made } = (await askings[name]?.(paylink, who)) as Asking;
    const key = randomUUID();
    const answers: Record<Mode, Answer[]> = { test: [], live: [] };
    for (const turn of wanted)
      await Promise.all(
        turn.map(async (mode) => {
          const headers = { ...credentialHeaders(who[mode]), 'idempotency-key': key };
          answers[mode].push(await post(paylink.baseUrl + path, body, headers));
        }),
      );
    for (const mode of modes) checkAnswers(answers[mode]);
    const [inTest, inLive] = [answers.test[0], answers.live[0]];
    if (inTest) assert.equal(inTest.status, 200, JSON.stringify(inTest.body));
    if (inLive) assert.equal(inLive.status, made ? 200 : 404, JSON.stringify(inLive.body));
    if (inTest && inLive && made) assert.notEqual(inTest.body[made], inLive.body[made]);
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
}

for (const engine of engines)
  describe(`an Idempotency-Key in both modes on the ${engine} database`, () => {
    let paylink: Paylink;
    before(async () => {
      paylink = await startPaylink(engine, { isAtWork: false });
    });
    after(async () => await paylink.stop());

    test('each mode has its own result and replays, without conflicts', async () => {
      await checkModes(paylink, 12);
    });

    const faults = {
      'in one place are a conflict, which': () => mixModesOfKeys(paylink.app.deps.db),
      'in one place that look alike are a replay, which': () => {
        const unplants = [
          mixModesOfKeys(paylink.app.deps.db),
          forgetModeOfRequests(paylink.app.deps.keyring),
        ];
        return () => void unplants.toReversed().map((unplant) => unplant());
      },
    };
    for (const [fault, plant] of Object.entries(faults))
      test(`keys of both modes ${fault} is detected`, async () => {
        await assertCaught(plant, async () => await checkModes(paylink, 25));
      });
  });
