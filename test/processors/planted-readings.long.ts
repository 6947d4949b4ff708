// Tests the contract with the live adapters: each planted misreading of a response must break its guarantee. It is
// planted between the fake and the adapter.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hold, openBench } from './contract/bench.ts';
import { contract } from './contract.ts';
import type { IdentifyingField, LiveRig, Rig, RigMaker } from './kit/rig.ts';
import { liveMakers } from './live.ts';

const waitingTitle = 'a payment succeeds only once the money has arrived, in every pending status';
const partTitle = 'a partial capture is reported and listed with its own amount';
const markTitles = {
  payment: 'a response about another payment is rejected, whichever field differs',
  refund: 'a response about another refund is rejected, whichever field differs, and the refund is made once',
} as const;

type Json = { [name: string]: unknown };
type Misreading = { processor: string; bug: string; title: string; misread: (thing: Json) => void };

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const misreadings: readonly Misreading[] = [
  {
    processor: 'stripe',
    bug: 'a complete, unpaid session counts as paid while its payment intent is processing',
    title: waitingTitle,
    misread: (thing) => {
      if (thing.object !== 'payment_intent' || thing.status !== 'processing') return;
      Object.assign(thing, { status: 'succeeded', amount_received: thing.amount });
    },
  },
  {
    processor: 'stripe',
    bug: 'a pending charge counts as succeeded',
    title: waitingTitle,
    misread: (thing) => {
      if (thing.object !== 'charge' || thing.status !== 'pending') return;
      Object.assign(thing, { status: 'succeeded', amount_captured: thing.amount });
    },
  },
  {
    processor: 'stripe',
    bug: 'the requested amount counts as received',
    title: partTitle,
    misread: (thing) => {
      if (thing.object === 'payment_intent') thing.amount_received = thing.amount;
    },
  },
  {
    processor: 'paypal',
    bug: 'a PENDING capture counts as COMPLETED',
    title: waitingTitle,
    misread: (thing) => {
      if (thing.status === 'PENDING') thing.status = 'COMPLETED';
    },
  },
  {
    processor: 'paypal',
    bug: 'the requested amount counts as captured',
    title: partTitle,
    misread: (thing) => {
      const { captures } = (thing.payments ?? {}) as { captures?: Json[] };
      for (const capture of captures ?? []) capture.amount = thing.amount;
    },
  },
  ...['authorized', 'pending'].map((status) => ({
    processor: 'mollie',
    bug: `a payment with status ${status} counts as paid`,
    title: waitingTitle,
    misread: (thing: Json) => {
      if (thing.resource !== 'payment' || thing.status !== status) return;
      Object.assign(thing, { status: 'paid', paidAt: thing.createdAt, amountCaptured: undefined });
    },
  })),
  {
    processor: 'mollie',
    bug: 'the requested amount is booked instead of the captured one',
    title: partTitle,
    misread: (thing) => {
      if (thing.resource === 'payment') thing.amountCaptured = undefined;
    },
  },
];

/** Changes every object of a response, from the inside out. */
function walk(value: unknown, change: (thing: Json) => void): void {
  if (!isJson(value)) return;
  for (const part of Object.values(value)) walk(part, change);
  change(value);
}

/** Runs a test while an API's responses are misread. */
async function misreading<Result>(
  change: (thing: Json) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const original = globalThis.fetch;
  globalThis.fetch = async (target, init) => {
    const response = await original(target, init);
    const isApi = /^\/v\d\//.test(new URL(String(target)).pathname);
    if (!isApi || response.status >= 300 || response.status === 204) return response;
    const body: unknown = await response.json().catch(() => null);
    walk(body, change);
    const { status, headers } = response;
    return new Response(JSON.stringify(body), { status, headers });
  };
  try {
    return await work();
  } finally {
    globalThis.fetch = original;
  }
}

async function holds(rig: Rig, { features }: Pick<RigMaker, 'features'>, title: string): Promise<boolean> {
  const guarantee = contract.find((one) => one.title === title);
  assert.ok(guarantee, `the contract has: ${title}`);
  assert.ok(guarantee.applies?.(features) ?? true, `it is asked of this processor: ${title}`);
  return await hold(openBench(rig, features), guarantee).then(
    () => true,
    () => false,
  );
}

/** A rig whose adapter ignores a field: it always reads the requested value. */
function blindTo(rig: LiveRig, mark: IdentifyingField): LiveRig {
  return {
    ...rig,
    control: async (control) => {
      const fault = control.outage?.fault;
      const isOfMark =
        fault?.kind === 'rewrite' &&
        control.outage?.route === mark.route &&
        fault.changes.some(({ path }) => path === mark.path);
      return await rig.control(isOfMark ? { ...control, outage: null } : control);
    },
  };
}

for (const maker of liveMakers)
  describe(maker.name, () => {
    let rig: LiveRig;
    before(async () => {
      rig = await maker.start();
    });
    after(async () => await rig?.stop());

    for (const { bug, title, misread } of misreadings.filter(({ processor }) => processor === maker.name))
      test(`the contract catches this bug of an adapter to ${maker.name}: ${bug}`, async () => {
        assert.equal(await misreading(misread, async () => await holds(rig, maker, title)), false);
        await rig.setCaptureResult('whole');
        const sound = await misreading(
          () => undefined,
          async () => await holds(rig, maker, title),
        );
        assert.equal(sound, true, 'and without the bug it holds');
      });

    for (const mark of maker.features.identifyingFields)
      test(`the contract catches an adapter to ${maker.name} that ignores the ${mark.name}`, async () => {
        assert.equal(await holds(blindTo(rig, mark), maker, markTitles[mark.on]), false);
      });

    test(`the contract tests pending money and a partial capture with ${maker.name}`, () => {
      assert.ok(maker.features.waits.length > 0 && maker.features.takesPart);
    });
  });
