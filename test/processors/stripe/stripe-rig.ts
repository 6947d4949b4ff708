// The rig of Stripe: the adapter with Stripe's package, and the fake Stripe.

import type { AuthoriseRequest } from '../../../src/processors/processor.ts';
import { createStripe } from '../../../src/processors/stripe/stripe.ts';
import {
  type IdentifyingField,
  type LiveRig,
  newConnection,
  type RigMaker,
  signReplaced,
} from '../kit/rig.ts';
import type { RunningFake } from '../kit/start-fake.ts';
import { startFakeRig } from '../kit/start-rig.ts';
import { accounts, type FakeAccount } from './accounts.ts';
import type { StripeCommand } from './fake.ts';

const pageSize = 3;

export type StripeRig = LiveRig & { fake: RunningFake; command(command: StripeCommand): Promise<void> };

/** A connection to an account of the fake. */
export const connectionTo = ({ secretKey, webhookSecret, isLive }: FakeAccount) =>
  newConnection({ secretKey, webhookSecret }, isLive ? 'live' : 'test');

/** The IDs of all sessions of an attempt. */
export async function sessionsOf(rig: StripeRig, { attemptId }: AuthoriseRequest): Promise<Set<unknown>> {
  const objects = (await rig.fake.lines()).flatMap(
    (line) => (line.objects ?? []) as Record<string, unknown>[],
  );
  return new Set(objects.filter((one) => one.client_reference_id === attemptId).map(({ id }) => id));
}

export async function startStripe(): Promise<StripeRig> {
  const { fake, command, rig, withCredential } = await startFakeRig<StripeCommand>(
    new URL('./fake.ts', import.meta.url),
    connectionTo(accounts.chairs),
    connectionTo(accounts.tables),
  );
  await command({ pageSize });
  return {
    ...rig,
    fake,
    command,
    kind: createStripe({ apiUrl: fake.url, clock: rig }),
    routes: { authorise: 'POST /v1/checkout/sessions', capture: null, refund: 'POST /v1/refunds' },
    invalidConnections: [
      { ...withCredential('secretKey', 'sk_test_nobody'), isUnknownAccount: true },
      withCredential('secretKey', accounts.chairs.uselessKey),
      withCredential('secretKey', accounts.chairs.refundlessKey),
      withCredential('secretKey', accounts.shelves.secretKey),
      withCredential('secretKey', 'pk_test_publishable'),
      withCredential('webhookSecret', 'mine'),
    ],
    setCaptureResult: async (result) => {
      const takesMinor = typeof result === 'object' && 'partMinor' in result ? result.partMinor : null;
      await command({ takesMinor, isSlow: typeof result === 'object' && 'waits' in result });
    },
    settle: async () => await command({ settle: 'paid' }),
    setWebhookUrl: async (url) => await command({ endpointUrl: url }),
    rewrite: async (place, texts) => await signReplaced(fake, place, texts),
  };
}

const session = (name: string, path: string, to: unknown): IdentifyingField => ({
  ...{ name: `${name} of the session`, on: 'payment', route: 'GET /v1/checkout/sessions/:id', path, to },
});
const intent = (name: string, path: string, to: unknown): IdentifyingField => ({
  ...session(name, `payment_intent.${path}`, to),
  isLater: true,
  name: `${name} of the payment intent`,
});
const refund = (name: string, path: string, to: unknown): IdentifyingField => ({
  ...{ name: `${name} of the refund`, on: 'refund', route: 'POST /v1/refunds', path, to },
});

const identifyingFields: readonly IdentifyingField[] = [
  { ...session('id', 'id', 'cs_test_another'), isLater: true },
  session('mode', 'livemode', true),
  session('attempt', 'client_reference_id', 'att_another'),
  session('metadata attempt', 'metadata.paylink_attempt', 'att_another'),
  session('company', 'metadata.paylink_company', 'co_another'),
  session('connection', 'metadata.paylink_connection', 'con_another'),
  session('amount', 'amount_total', 2000),
  session('currency', 'currency', 'usd'),
  intent('mode', 'livemode', true),
  intent('attempt', 'metadata.paylink_attempt', 'att_another'),
  intent('company', 'metadata.paylink_company', 'co_another'),
  intent('connection', 'metadata.paylink_connection', 'con_another'),
  intent('amount', 'amount', 2000),
  refund('payment', 'payment_intent', 'pi_another'),
  refund('attempt', 'metadata.paylink_attempt', 'att_another'),
  refund('company', 'metadata.paylink_company', 'co_another'),
  refund('connection', 'metadata.paylink_connection', 'con_another'),
  refund('refund', 'metadata.paylink_refund', 'ref_another'),
  refund('amount', 'amount', 299),
  refund('currency', 'currency', 'usd'),
];

export const stripeRig: RigMaker<LiveRig> = {
  name: 'stripe',
  features: {
    capturesSeparately: false,
    declineEnds: false,
    turningBack: 'stays',
    cancelsOpen: true,
    findsByKey: true,
    expires: true,
    webhooks: 'signed',
    isRemote: true,
    waits: ['processing'],
    takesPart: true,
    identifyingFields,
    pageSize,
  },
  start: startStripe,
};
