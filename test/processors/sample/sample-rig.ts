// The sample processor as the contract suite drives it: the model of a rig.

import { pageCustomer } from '../kit/customer.ts';
import { type Features, newConnection, type Rig, type RigMaker } from '../kit/rig.ts';
import { startFake } from '../kit/start-fake.ts';
import { accounts } from './books.ts';
import { createSample } from './sample-processor.ts';

async function start(takesAtOnce: boolean): Promise<Rig> {
  const fake = await startFake(new URL('./fake.ts', import.meta.url));
  const [connection, otherConnection] = accounts.map(({ apiKey, secret }) =>
    newConnection({ apiKey, webhookSecret: secret }),
  );
  if (!connection || !otherConnection) throw new Error('the sample processor has two accounts');
  const withCredential = (field: string, value: string) => ({
    field,
    connection: { ...connection, credentials: { ...connection.credentials, [field]: value } },
  });
  let aheadMs = 0;
  return {
    kind: createSample({ apiUrl: fake.url, takesAtOnce }),
    connection,
    otherConnection,
    sharingConnection: newConnection(connection.credentials),
    badConnections: [
      { ...withCredential('apiKey', 'test_nobody'), opensNothing: true },
      withCredential('webhookSecret', 'mine'),
    ],
    routes: { authorise: 'POST /sessions', capture: 'POST /sessions/:id/capture', refund: 'POST /refunds' },
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
      await fake.control({ command: { isLate: typeof way === 'object' && 'waits' in way } });
    },
    settle: async () => {
      await fake.control({ command: { settle: true } });
    },
    stop: fake.stop,
  };
}

const features: Features = {
  capturesSeparately: true,
  declineEnds: true,
  turningBack: 'stays',
  cancelsOpen: true,
  findsByKey: true,
  expires: true,
  notices: 'signed',
  isRemote: true,
  waits: ['pending'],
  takesPart: false,
  marks: [
    { name: 'attempt', on: 'payment', route: 'GET /sessions/:id', path: 'key', to: 'att_another' },
    { name: 'refund', on: 'refund', route: 'POST /refunds', path: 'key', to: 'ref_another' },
  ],
  pageSize: 3,
};

/** The sample processor, where the customer agrees and the money is taken by a call of its own. */
export const sampleRig: RigMaker = {
  name: 'sample',
  features,
  start: async () => await start(false),
};

/** The same, but the money is taken as soon as the customer agrees. */
export const promptSampleRig: RigMaker = {
  name: 'prompt sample',
  features: { ...features, capturesSeparately: false },
  start: async () => await start(true),
};
