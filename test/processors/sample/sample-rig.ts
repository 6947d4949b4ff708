// The sample processor as the contract suite drives it: the model of a rig.

import { pageCustomer } from '../kit/customer.ts';
import { newConnection, type Rig, type RigMaker } from '../kit/rig.ts';
import { startFake } from '../kit/start-fake.ts';
import { accounts } from './books.ts';
import { createSample } from './sample-processor.ts';

async function start(): Promise<Rig> {
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
    kind: createSample(fake.url),
    connection,
    otherConnection,
    badConnections: [withCredential('apiKey', 'test_nobody'), withCredential('webhookSecret', 'mine')],
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
    settle: async () => undefined,
    stop: fake.stop,
  };
}

export const sampleRig: RigMaker = {
  name: 'sample',
  features: {
    capturesSeparately: true,
    declineEnds: true,
    turningBackEnds: false,
    cancelsOpen: true,
    findsByKey: true,
    expires: true,
    challenges: true,
    notices: 'signed',
    isRemote: true,
    pageSize: 3,
  },
  start,
};
