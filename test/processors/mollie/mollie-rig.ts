// The rig of Mollie: the adapter and the fake Mollie.

import { createMollie } from '../../../src/processors/mollie/mollie.ts';
import {
  type IdentifyingField,
  type LiveRig,
  newConnection,
  type Replacement,
  type RigMaker,
} from '../kit/rig.ts';
import { startFakeRig } from '../kit/start-rig.ts';
import { accounts } from './records.ts';

/** Nothing listens there; webhooks are recorded anyway. */
const baseUrl = 'http://127.0.0.1:9';

type MollieCommand = {
  paysAs?: string;
  takesCents?: number | null;
  settleRefunds?: 'refunded';
  settlePayments?: true;
  rewrite?: { id: string; texts: readonly Replacement[] };
};

/** A well-formed key without an account. */
const unknownKey = 'test_nobodyHasThisKey0123456789ab';

export async function startMollieRig(): Promise<LiveRig> {
  const { fake, command, rig, withCredential } = await startFakeRig<MollieCommand>(
    new URL('./fake.ts', import.meta.url),
    newConnection({ apiKey: accounts[0].apiKey }),
    newConnection({ apiKey: accounts[1].apiKey }),
  );
  return {
    ...rig,
    kind: createMollie({ apiUrl: fake.url, baseUrl, clock: rig, proveAddress: () => 'a-proof' }),
    invalidConnections: [
      { ...withCredential('apiKey', unknownKey), isUnknownAccount: true },
      withCredential('apiKey', 'test_short'),
      withCredential('apiKey', accounts[0].apiKey.replace('test_', 'live_')),
      withCredential('apiKey', `${accounts[0].apiKey}\n`),
    ],
    routes: { authorise: 'POST /v2/payments', capture: null, refund: 'POST /v2/payments/:id/refunds' },
    setCaptureResult: async (result) => {
      const paysAs = typeof result === 'object' && 'waits' in result ? result.waits : 'paid';
      const takesCents = typeof result === 'object' && 'partMinor' in result ? result.partMinor : null;
      await command({ paysAs, takesCents });
    },
    settle: async () => await command({ settleRefunds: 'refunded', settlePayments: true }),
    // Mollie gets the address with each payment.
    setWebhookUrl: async () => undefined,
    // Its webhooks only have the ID of a payment, so the payment itself is rewritten.
    rewrite: async (place, texts) => {
      const { headers = {}, body = '' } = (await fake.webhooks())[place] ?? {};
      const id = new URLSearchParams(body).get('id') ?? '';
      await command({ rewrite: { id, texts } });
      return { headers, body };
    },
  };
}

const payment = (name: string, path: string, to: unknown): IdentifyingField => ({
  ...{ name: `${name} of the payment`, on: 'payment', route: 'GET /v2/payments/:id', path, to },
});
const refund = (name: string, path: string, to: unknown): IdentifyingField => ({
  ...{ name: `${name} of the refund`, on: 'refund', route: 'POST /v2/payments/:id/refunds', path, to },
});

const identifyingFields: readonly IdentifyingField[] = [
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
    webhooks: 'unsigned',
    isRemote: true,
    waits: ['pending', 'authorized'],
    takesPart: true,
    identifyingFields,
    pageSize: 4,
  },
  start: startMollieRig,
};
