// Mollie as the contract suite drives it: our adapter, and the fake that stands for Mollie.

import { createMollie } from '../../../src/processors/mollie/mollie.ts';
import { pageCustomer } from '../kit/customer.ts';
import { type LiveRig, type Mark, newConnection, type RigMaker } from '../kit/rig.ts';
import { startFake } from '../kit/start-fake.ts';
import { accounts } from './books.ts';

/** Nobody listens there; webhooks are noted all the same. */
const baseUrl = 'http://127.0.0.1:9';

/** A key of the right form that opens no account. */
const unknownKey = 'test_nobodyHasThisKey0123456789ab';

export async function startMollieRig(): Promise<LiveRig> {
  const fake = await startFake(new URL('./fake.ts', import.meta.url));
  const connection = newConnection({ apiKey: accounts[0].apiKey });
  const withKey = (apiKey: string) => ({
    field: 'apiKey',
    connection: { ...connection, credentials: { apiKey } },
  });
  let aheadMs = 0;
  return {
    kind: createMollie({
      apiUrl: fake.url,
      baseUrl,
      clock: { now: () => new Date(Date.now() + aheadMs) },
      proveAddress: () => 'a-proof',
    }),
    connection,
    otherConnection: newConnection({ apiKey: accounts[1].apiKey }),
    sharingConnection: newConnection({ apiKey: accounts[0].apiKey }),
    badConnections: [
      { ...withKey(unknownKey), opensNothing: true },
      withKey('test_short'),
      withKey(accounts[0].apiKey.replace('test_', 'live_')),
      withKey(`${accounts[0].apiKey}\n`),
    ],
    routes: { authorise: 'POST /v2/payments', capture: null, refund: 'POST /v2/payments/:id/refunds' },
    cardFor: () => null,
    customer: pageCustomer,
    now: () => new Date(Date.now() + aheadMs),
    advanceMs: async (ms) => {
      aheadMs += ms;
      await fake.control({ advanceMs: ms });
    },
    control: fake.control,
    money: fake.money,
    webhooks: fake.webhooks,
    chargeElsewhere: async (amountMinor) => {
      await fake.control({ command: { chargeElsewhere: amountMinor } });
    },
    setMoney: async (way) => {
      const paysAs = typeof way === 'object' && 'waits' in way ? way.waits : 'paid';
      const takesCents = typeof way === 'object' && 'partMinor' in way ? way.partMinor : null;
      await fake.control({ command: { paysAs, takesCents } });
    },
    settle: async () => {
      await fake.control({ command: { settleRefunds: 'refunded', settlePayments: true } });
    },
    fakeUrl: fake.url,
    hearAt: async () => undefined,
    // Its webhooks say nothing but which payment to ask about.
    restate: async (place, texts) => {
      const { headers = {}, body = '' } = (await fake.webhooks())[place] ?? {};
      const id = new URLSearchParams(body).get('id') ?? '';
      await fake.control({ command: { restate: { id, texts } } });
      return { headers, body };
    },
    chargeAnyway: async (attemptId) => {
      await fake.control({ command: { chargeAnyway: attemptId } });
    },
    refundElsewhere: async (attemptId, amountMinor) => {
      await fake.control({ command: { refundElsewhere: { attemptId, amountMinor } } });
    },
    failElsewhere: async (attemptId) => {
      await fake.control({ command: { failElsewhere: attemptId } });
    },
    stop: fake.stop,
  };
}

const payment = (name: string, path: string, to: unknown): Mark => ({
  ...{ name: `${name} of the payment`, on: 'payment', route: 'GET /v2/payments/:id', path, to },
});
const refund = (name: string, path: string, to: unknown): Mark => ({
  ...{ name: `${name} of the refund`, on: 'refund', route: 'POST /v2/payments/:id/refunds', path, to },
});

const marks: readonly Mark[] = [
  { ...payment('id', 'id', 'tr_another12345'), isLater: true },
  payment('mode', 'mode', 'live'),
  payment('attempt', 'metadata.attempt', 'att_another'),
  payment('company', 'metadata.company', 'co_another'),
  payment('connection', 'metadata.connection', 'con_another'),
  payment('amount', 'amount.value', '20.00'),
  payment('currency', 'amount.currency', 'USD'),
  refund('payment', 'paymentId', 'tr_another12345'),
  refund('mode', 'mode', 'live'),
  refund('attempt', 'metadata.attempt', 'att_another'),
  refund('company', 'metadata.company', 'co_another'),
  refund('connection', 'metadata.connection', 'con_another'),
  refund('refund', 'metadata.refund', 'ref_another'),
  refund('amount', 'amount.value', '2.99'),
  refund('currency', 'amount.currency', 'USD'),
];

export const mollieRig: RigMaker<LiveRig> = {
  name: 'mollie',
  features: {
    capturesSeparately: false,
    declineEnds: true,
    turningBack: 'ends',
    // Only where the method that the customer chose allows it.
    cancelsOpen: false,
    findsByKey: true,
    expires: false,
    notices: 'unsigned',
    isRemote: true,
    waits: ['pending', 'authorized'],
    takesPart: true,
    marks,
    pageSize: 4,
  },
  start: startMollieRig,
};
