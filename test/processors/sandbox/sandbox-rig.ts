// The rig of the sandbox: the whole service on a database, because its records are tables and its challenge is a page
// of the service. Test cards replace the commands of a fake.

import assert from 'node:assert/strict';
import { protectCard } from '../../../src/processors/card.ts';
import type { ProcessorConnection } from '../../../src/processors/processor.ts';
import { type Engine, startPaylink, testCsc } from '../../harness/paylink.ts';
import { readSandboxJournal } from '../../harness/sandbox-journal.ts';
import { formsOf, press, visit } from '../../harness/visitor.ts';
import type { MoneyLine } from '../kit/control.ts';
import type { Customer, LandingPage } from '../kit/customer.ts';
import type { Rig, RigMaker } from '../kit/rig.ts';

const cardNumbers = {
  pay: '4242424242424242',
  decline: '4000000000000002',
  challenge: '4000002760003184',
  lose_answer: '4000000000009011',
  never_answer: '4000000000009060',
} as const;

async function decide(url: string, decision: 'approve' | 'decline'): Promise<LandingPage> {
  const page = await visit(url);
  assert.equal(formsOf(page).length, 1, 'the challenge can be answered');
  return await press(page, { form: 0, extra: { decision } });
}

const customer: Customer = {
  pay: async (url) => await decide(url, 'approve'),
  decline: async (url) => await decide(url, 'decline'),
  challenge: async (url, result) => await decide(url, result === 'pass' ? 'approve' : 'decline'),
  turnBack: () => {
    throw new Error('the sandbox asks for the card on our own page, where nobody turns back');
  },
};

/** The sandbox's records in the form of a fake's journal: moved money only. */
async function readMoney(db: Parameters<typeof readSandboxJournal>[0]): Promise<MoneyLine[]> {
  const lines = await readSandboxJournal(db);
  return lines
    .filter(({ state }) => state === 'charged' || state === 'refunded')
    .map(({ type, key, reference, amountMinor, currency, ...line }): MoneyLine => {
      const chargeReference = 'chargeKey' in line ? line.chargeKey : null;
      const known = { account: 'sandbox', linkCode: null, amountMinor, currency };
      return { type, key, reference, chargeReference, ...known };
    });
}

async function start(engine: Engine): Promise<Rig> {
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const paylink = await startPaylink(engine, { clock: { now } });
  const { db, processors } = paylink.app.deps;
  const connect = async (): Promise<ProcessorConnection> => {
    const { companyId } = await paylink.createMerchant();
    return { connectionId: null, companyId, mode: 'test', credentials: {} };
  };
  return {
    kind: processors.builtIn,
    connection: await connect(),
    otherConnection: await connect(),
    sameAccountConnection: await connect(),
    invalidConnections: [],
    routes: null,
    cardFor: (wish) =>
      protectCard({
        ...{ holder: 'Ada Lovelace', number: cardNumbers[wish], csc: testCsc },
        ...{ expiryMonth: 12, expiryYear: 2034 },
      }),
    customer,
    now,
    advanceMs: async (ms) => {
      aheadMs += ms;
    },
    control: async () => ({}),
    money: async () => await readMoney(db),
    webhooks: async () => [],
    createForeignCharge: async () => undefined,
    setCaptureResult: async () => undefined,
    settle: async () => undefined,
    stop: paylink.stop,
  };
}

/** The sandbox on an engine. */
export const sandboxRig = (engine: Engine): RigMaker => ({
  name: `sandbox, ${engine}`,
  features: {
    capturesSeparately: false,
    declineEnds: true,
    turningBack: 'none',
    cancelsOpen: true,
    findsByKey: true,
    expires: false,
    webhooks: 'none',
    isRemote: false,
    waits: [],
    takesPart: false,
    identifyingFields: [],
    pageSize: null,
  },
  start: async () => await start(engine),
});
