// Mollie as the contract suite drives it: our adapter, and the fake that stands for Mollie.

import { createMollie } from '../../../src/processors/mollie/mollie.ts';
import { pageCustomer } from '../kit/customer.ts';
import { type LiveRig, newConnection, type RigMaker } from '../kit/rig.ts';
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
    kind: createMollie({ apiUrl: fake.url, baseUrl }),
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
    settle: async () => {
      await fake.control({ command: { settleRefunds: 'refunded' } });
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
    stop: fake.stop,
  };
}

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
    pageSize: 4,
  },
  start: startMollieRig,
};
