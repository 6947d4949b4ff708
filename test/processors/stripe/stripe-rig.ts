// Stripe as the contract suite drives it: the real adapter and the real package against the fake, which is a
// process of its own.

import type { AuthoriseRequest } from '../../../src/processors/processor.ts';
import { createStripe } from '../../../src/processors/stripe/stripe.ts';
import { pageCustomer } from '../kit/customer.ts';
import { type LiveRig, type Mark, newConnection, type RigMaker, restateSigned } from '../kit/rig.ts';
import { type RunningFake, startFake } from '../kit/start-fake.ts';
import { accounts, type FakeAccount } from './accounts.ts';
import type { StripeCommand } from './fake.ts';

const pageSize = 3;

export type StripeRig = LiveRig & { fake: RunningFake; command(command: StripeCommand): Promise<void> };

/** A connection with an account of the fake. */
export const connectionTo = ({ secretKey, webhookSecret, isLive }: FakeAccount) =>
  newConnection({ secretKey, webhookSecret }, isLive ? 'live' : 'test');

/** The sessions that were made for an attempt, whatever became of them. */
export async function sessionsOf(rig: StripeRig, { attemptId }: AuthoriseRequest): Promise<Set<unknown>> {
  const objects = (await rig.fake.lines()).flatMap(
    (line) => (line.objects ?? []) as Record<string, unknown>[],
  );
  return new Set(objects.filter((one) => one.client_reference_id === attemptId).map(({ id }) => id));
}

/** Starts the fake, and an adapter that speaks with it. */
export async function startStripe(): Promise<StripeRig> {
  const fake = await startFake(new URL('./fake.ts', import.meta.url));
  const connection = connectionTo(accounts.chairs);
  const withCredential = (field: string, value: string) => ({
    field,
    connection: { ...connection, credentials: { ...connection.credentials, [field]: value } },
  });
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const command = async (wish: StripeCommand) => {
    await fake.control({ command: wish });
  };
  await command({ pageSize });
  return {
    fake,
    command,
    kind: createStripe({ apiUrl: fake.url, clock: { now } }),
    connection,
    otherConnection: connectionTo(accounts.tables),
    sharingConnection: connectionTo(accounts.chairs),
    routes: { authorise: 'POST /v1/checkout/sessions', capture: null, refund: 'POST /v1/refunds' },
    badConnections: [
      { ...withCredential('secretKey', 'sk_test_nobody'), opensNothing: true },
      withCredential('secretKey', accounts.chairs.uselessKey),
      withCredential('secretKey', accounts.chairs.refundlessKey),
      withCredential('secretKey', accounts.shelves.secretKey),
      withCredential('secretKey', 'pk_test_publishable'),
      withCredential('webhookSecret', 'mine'),
    ],
    cardFor: () => null,
    customer: pageCustomer,
    now,
    advanceMs: async (ms) => {
      aheadMs += ms;
      await fake.control({ advanceMs: ms });
    },
    control: fake.control,
    money: fake.money,
    webhooks: fake.webhooks,
    chargeElsewhere: async (amountMinor) => await command({ chargeElsewhere: amountMinor }),
    setMoney: async (way) => {
      const takesMinor = typeof way === 'object' && 'partMinor' in way ? way.partMinor : null;
      await command({ takesMinor, isSlow: typeof way === 'object' && 'waits' in way });
    },
    settle: async () => await command({ settle: 'paid' }),
    fakeUrl: fake.url,
    hearAt: async (url) => await command({ endpointUrl: url }),
    restate: async (place, texts) => await restateSigned(fake, place, texts),
    chargeAnyway: async (attemptId) => await command({ chargeAnyway: attemptId }),
    refundElsewhere: async (attemptId, amountMinor) =>
      await command({ refundElsewhere: { attemptId, amountMinor } }),
    failElsewhere: async (attemptId) => await command({ failElsewhere: attemptId }),
    stop: fake.stop,
  };
}

const session = (name: string, path: string, to: unknown): Mark => ({
  ...{ name: `${name} of the session`, on: 'payment', route: 'GET /v1/checkout/sessions/:id', path, to },
});
const intent = (name: string, path: string, to: unknown): Mark => ({
  ...session(name, `payment_intent.${path}`, to),
  isLater: true,
  name: `${name} of the payment intent`,
});
const refund = (name: string, path: string, to: unknown): Mark => ({
  ...{ name: `${name} of the refund`, on: 'refund', route: 'POST /v1/refunds', path, to },
});

const marks: readonly Mark[] = [
  { ...session('id', 'id', 'cs_test_another'), isLater: true },
  session('mode', 'livemode', true),
  session('attempt', 'client_reference_id', 'att_another'),
  session('noted attempt', 'metadata.paylink_attempt', 'att_another'),
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
    notices: 'signed',
    isRemote: true,
    waits: ['processing'],
    takesPart: true,
    marks,
    pageSize,
  },
  start: startStripe,
};
