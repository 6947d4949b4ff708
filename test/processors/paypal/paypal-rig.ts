// PayPal as the contract suite drives it: the adapter, and the fake that stands where PayPal does.

import { createPaypal } from '../../../src/processors/paypal/paypal.ts';
import { pageCustomer } from '../kit/customer.ts';
import { type LiveRig, newConnection, type RigMaker, restateSigned } from '../kit/rig.ts';
import { startFake } from '../kit/start-fake.ts';
import { apps } from './books.ts';
import { listPageSize, type PaypalCommand } from './commands.ts';

const credentialsOf = ({ clientId, clientSecret, webhookId }: (typeof apps)[number]) => ({
  clientId,
  clientSecret,
  webhookId,
});

export type PaypalRig = LiveRig & {
  command(command: PaypalCommand): Promise<void>;
  /** How many tokens the fake gave so far. */
  countTokens(): Promise<number>;
};

export async function startPaypalRig(): Promise<PaypalRig> {
  const fake = await startFake(new URL('./fake.ts', import.meta.url));
  const connection = newConnection(credentialsOf(apps[0]));
  const withCredential = (field: string, value: string) => ({
    field,
    connection: { ...connection, credentials: { ...connection.credentials, [field]: value } },
  });
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const command = async (wish: PaypalCommand) => {
    await fake.control({ command: wish });
  };
  return {
    command,
    countTokens: async () => (await fake.lines()).filter(({ type }) => type === 'token').length,
    kind: createPaypal({ apiUrl: fake.url, clock: { now } }),
    connection,
    otherConnection: newConnection(credentialsOf(apps[1])),
    sharingConnection: newConnection(credentialsOf(apps[0])),
    badConnections: [
      { ...withCredential('clientId', 'AWnobody'), opensNothing: true },
      { ...withCredential('clientSecret', 'EJwrong'), opensNothing: true },
      withCredential('webhookId', apps[1].webhookId),
    ],
    routes: {
      authorise: 'POST /v2/checkout/orders',
      capture: 'POST /v2/checkout/orders/:id/capture',
      refund: 'POST /v2/payments/captures/:id/refund',
    },
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
    settle: async () => await command({ settle: true }),
    fakeUrl: fake.url,
    hearAt: async (url) => await command({ webhookUrl: url }),
    restate: async (place, texts) => await restateSigned(fake, place, texts),
    chargeAnyway: async (attemptId) => await command({ chargeAnyway: attemptId }),
    stop: fake.stop,
  };
}

export const paypalRig: RigMaker<LiveRig> = {
  name: 'paypal',
  features: {
    capturesSeparately: true,
    declineEnds: true,
    turningBack: 'stays',
    cancelsOpen: true,
    findsByKey: true,
    // PayPal keeps an order for three hours; what is approved too late is never captured.
    expires: false,
    notices: 'signed',
    // PayPal tries for three days, and signs each try with the time of the first.
    noticeLifeMs: 4 * 24 * 60 * 60 * 1000,
    isRemote: true,
    pageSize: listPageSize,
  },
  start: startPaypalRig,
};
