// A minimal processor for tests of connections: its result depends on the credentials' values.

import type { Currency } from '../../src/base/money.ts';
import type {
  CredentialCheck,
  ProcessorConnection,
  ProcessorKind,
  RefundOutcome,
} from '../../src/processors/processor.ts';

export type StubProcessor = {
  kind: ProcessorKind;
  /** The checked connections, in order. */
  checked: ProcessorConnection[];
  /** Runs during a check, in place of a concurrent call. */
  meanwhile: (() => Promise<void>) | null;
};

/** Valid credentials. */
export const goodCredentials = { account: 'A-1001', secretKey: 'dk_good_kept_from_everybody' };
/** A key that the processor rejects, and one for which it does not respond. */
export const badKey = 'dk_bad_kept_from_everybody';
export const silentKey = 'dk_silent_kept_from_everybody';

const field = { isSecret: false, isRequired: true, maxLength: 60 };

function judge({ mode, credentials }: ProcessorConnection): CredentialCheck {
  const { account = '', secretKey } = credentials;
  if (secretKey === silentKey) throw new Error('the desk is closed');
  if (secretKey !== badKey) return { kind: 'good', holder: `Holder of ${account}`, account };
  const detail = `The desk does not know this key in ${mode} mode.`;
  return { kind: 'bad', faults: [{ field: 'secretKey', code: 'refused', detail }] };
}

const processingRefund: RefundOutcome = { kind: 'processing', reference: 'desk-refund' };

/** A processor for both modes. */
export function createStubProcessor(name = 'desk', currencies: readonly Currency[] = ['EUR']): StubProcessor {
  const stub: Omit<StubProcessor, 'kind'> = { checked: [], meanwhile: null };
  const kind: ProcessorKind = {
    name,
    title: 'The Desk',
    takes: 'page',
    modes: ['test', 'live'],
    currencies,
    actionLifeMs: 30 * 60 * 1000,
    mayOutliveLink: false,
    fields: [
      { ...field, name: 'account', label: 'Account', help: 'On your contract, A-….' },
      { ...field, name: 'secretKey', label: 'Secret key', help: 'Under Keys, dk_….', isSecret: true },
      { ...field, name: 'seal', label: 'Seal', help: 'Under Webhooks.', isSecret: true, isRequired: false },
      { ...field, name: 'branch', label: 'Branch', help: 'A number.', isRequired: false },
    ],
    check: async (connection) => {
      stub.checked.push(connection);
      await stub.meanwhile?.();
      return judge(connection);
    },
    readNotice: async () => ({ kind: 'forged', why: 'signature' }),
    connect: () => ({
      name,
      refuseCard: () => null,
      authorise: async ({ attemptId }) => ({
        kind: 'requires_action',
        reference: `desk-${attemptId}`,
        url: `https://desk.example/${attemptId}`,
      }),
      query: async ({ attemptId, amountMinor, currency }) => ({
        ...{ kind: 'succeeded', reference: `desk-${attemptId}`, amountMinor, currency },
      }),
      capture: async () => {
        throw new Error('the desk takes the money by itself');
      },
      cancel: async () => ({ kind: 'void' }),
      refund: async () => processingRefund,
      list: async () => ({ movements: [], nextCursor: null }),
      instruct: async () => null,
    }),
  };
  return Object.assign(stub, { kind });
}
