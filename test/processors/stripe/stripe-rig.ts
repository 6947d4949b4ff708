// Stripe as the contract suite drives it: the real adapter and the real package against the fake, which is a
// process of its own.

import { createStripe } from '../../../src/processors/stripe/stripe.ts';
import { pageCustomer } from '../kit/customer.ts';
import { type LiveRig, newConnection, type RigMaker, restateSigned } from '../kit/rig.ts';
import { type RunningFake, startFake } from '../kit/start-fake.ts';
import { accounts, type FakeAccount } from './accounts.ts';
import type { StripeCommand } from './fake.ts';

const pageSize = 3;

export type StripeRig = LiveRig & { fake: RunningFake; command(command: StripeCommand): Promise<void> };

/** A connection with an account of the fake. */
export const connectionTo = ({ secretKey, webhookSecret, isLive }: FakeAccount) =>
  newConnection({ secretKey, webhookSecret }, isLive ? 'live' : 'test');

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
    settle: async () => await command({ settle: 'paid' }),
    fakeUrl: fake.url,
    hearAt: async (url) => await command({ endpointUrl: url }),
    restate: async (place, texts) => await restateSigned(fake, place, texts),
    chargeAnyway: async (attemptId) => await command({ chargeAnyway: attemptId }),
    stop: fake.stop,
  };
}

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
    pageSize,
  },
  start: startStripe,
};
