// A processor with a hosted page, one secret, and outcomes set by the test.

import { newConnectionId } from '../../src/base/ids.ts';
import { encryptCredentials } from '../../src/connections/open-connection.ts';
import type {
  AttemptOutcome,
  AttemptRequest,
  ProcessorKind,
  ProcessorWebhook,
} from '../../src/processors/processor.ts';
import { createProcessors, listProcessors } from '../../src/processors/registry.ts';
import { type Engine, type Merchant, type Paylink, startPaylink } from './paylink.ts';

/** `outcomes` is the result by attempt; without one, it does not respond. */
export type ScriptedProcessor = {
  kind: ProcessorKind;
  outcomes: Map<string, AttemptOutcome>;
  /** The queried attempts, in order. */
  asked: string[];
  isDown: boolean;
  /** The reason for rejecting requests, if any. */
  refusal: string | null;
  /** The account of all credentials. */
  holder: string;
};

export function createScriptedProcessor(): ScriptedProcessor {
  const stub: Omit<ScriptedProcessor, 'kind'> = {
    outcomes: new Map(),
    asked: [],
    isDown: false,
    refusal: null,
    holder: 'Desk',
  };
  const answer = ({ attemptId }: AttemptRequest): AttemptOutcome => {
    stub.asked.push(attemptId);
    const outcome = stub.outcomes.get(attemptId);
    if (stub.isDown || !outcome) throw new Error('the desk is closed');
    return outcome;
  };
  const kind: ProcessorKind = {
    name: 'desk',
    title: 'Desk',
    takes: 'page',
    modes: ['test'],
    currencies: ['EUR'],
    actionLifeMs: 30 * 60 * 1000,
    mayOutliveLink: false,
    fields: [
      {
        name: 'secret',
        label: 'Secret',
        isSecret: true,
        isRequired: true,
        help: 'Any text.',
        maxLength: 100,
      },
    ],
    check: async () => ({ kind: 'good', holder: stub.holder, account: stub.holder }),
    readNotice: async ({ credentials }, { headers, body }) => {
      if (stub.isDown) throw new Error('the desk is closed');
      if (headers['x-signature'] !== credentials.secret) return { kind: 'forged', why: 'signature' };
      return JSON.parse(body.toString()) as ProcessorWebhook;
    },
    connect: () => ({
      name: 'desk',
      refuseCard: () => null,
      authorise: async ({ attemptId }) => {
        if (stub.refusal !== null) return { kind: 'unavailable', why: stub.refusal, isOfRequest: true };
        const outcome: AttemptOutcome = {
          kind: 'requires_action',
          reference: `desk-${attemptId}`,
          url: `https://desk.example/${attemptId}`,
        };
        stub.outcomes.set(attemptId, outcome);
        return outcome;
      },
      query: async (request) => answer(request),
      cancel: async (request) => answer(request),
      capture: async (request) => answer(request),
      refund: async ({ refundId, amountMinor, currency }) => {
        stub.asked.push(refundId);
        return { kind: 'succeeded', reference: `desk-${refundId}`, amountMinor, currency };
      },
      list: async () => ({ movements: [], nextCursor: null }),
      instruct: async () => null,
    }),
  };
  return Object.assign(stub, { kind });
}

export const scriptedProcessorSecret = 'desk-secret-of-these-tests';

/** Connects a merchant with the processor, bypassing the API. */
export async function connectScriptedProcessor(
  paylink: Paylink,
  { companyId, accountId }: Merchant,
): Promise<string> {
  const connectionId = newConnectionId(companyId);
  const { keyring, db } = paylink.app.deps;
  const sealed = encryptCredentials(
    keyring,
    { companyId, connectionId },
    { secret: scriptedProcessorSecret },
  );
  await db.asOwner.query(
    `insert into connections (company_id, connection_id, processor, mode, name, holder, account, currencies, position, sealed, key_id,
                              created_by, created_at, updated_at)
     values ($1, $2, 'desk', 'test', 'Desk', 'Desk', 'Desk', '{EUR}', 0, $3, $4, $5, now(), now())`,
    [companyId, connectionId, sealed, keyring.keyId, accountId],
  );
  return connectionId;
}

/** Starts the service with this processor and the sandbox, behind a trusted proxy. */
export async function startWithScriptedProcessor(engine: Engine, stub: ScriptedProcessor): Promise<Paylink> {
  return await startPaylink(engine, {
    settings: { TRUSTED_PROXIES: 'loopback' },
    // Only the test queries the processor, no job of an earlier test.
    firstReconcileSeconds: 3600,
    processors: (deps) => listProcessors(createProcessors(deps).builtIn, [stub.kind]),
  });
}
