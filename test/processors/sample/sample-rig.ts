// The rig of the sample processor: copy it for a new processor.

import { type Features, newConnection, type Rig, type RigMaker } from '../kit/rig.ts';
import { startFakeRig } from '../kit/start-rig.ts';
import { accounts } from './records.ts';
import { createSample } from './sample-processor.ts';

type SampleCommand = { isLate?: boolean; settle?: true };

async function start(takesAtOnce: boolean): Promise<Rig> {
  const [connection, otherConnection] = accounts.map(({ apiKey, secret }) =>
    newConnection({ apiKey, webhookSecret: secret }),
  );
  if (!connection || !otherConnection) throw new Error('the sample processor has two accounts');
  const file = new URL('./fake.ts', import.meta.url);
  const { fake, command, rig, withCredential } = await startFakeRig<SampleCommand>(
    file,
    connection,
    otherConnection,
  );
  return {
    ...rig,
    kind: createSample({ apiUrl: fake.url, takesAtOnce }),
    invalidConnections: [
      { ...withCredential('apiKey', 'test_nobody'), isUnknownAccount: true },
      withCredential('webhookSecret', 'mine'),
    ],
    routes: { authorise: 'POST /sessions', capture: 'POST /sessions/:id/capture', refund: 'POST /refunds' },
    setCaptureResult: async (result) =>
      await command({ isLate: typeof result === 'object' && 'waits' in result }),
    settle: async () => await command({ settle: true }),
  };
}

const features: Features = {
  capturesSeparately: true,
  declineEnds: true,
  turningBack: 'stays',
  cancelsOpen: true,
  findsByKey: true,
  expires: true,
  webhooks: 'signed',
  isRemote: true,
  waits: ['pending'],
  takesPart: false,
  identifyingFields: [
    { name: 'attempt', on: 'payment', route: 'GET /sessions/:id', path: 'key', to: 'att_another' },
    { name: 'refund', on: 'refund', route: 'POST /refunds', path: 'key', to: 'ref_another' },
  ],
  pageSize: 3,
};

/** The sample processor, which captures by a separate call after the customer's approval. */
export const sampleRig: RigMaker = {
  name: 'sample',
  features,
  start: async () => await start(false),
};

/** The same, but it captures as soon as the customer approves. */
export const promptSampleRig: RigMaker = {
  name: 'prompt sample',
  features: { ...features, capturesSeparately: false },
  start: async () => await start(true),
};
