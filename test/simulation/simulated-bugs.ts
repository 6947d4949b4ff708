// The bugs that the simulation must find, each a wrapper around the real code. src/ must not import this file.

import { newId } from '../../src/base/ids.ts';
import { isStatementError } from '../../src/db/connection.ts';
import type { TenantTx } from '../../src/db/database.ts';
import type { AttemptOutcome, Processor } from '../../src/processors/processor.ts';

type SendStatement = TenantTx['query'];
type Rows = Record<string, unknown>[];
/** Runs a statement of a task in its place. */
export type StatementInterceptor = (
  query: SendStatement,
  text: string,
  values?: readonly unknown[],
) => Promise<never[]>;

export type SimulatedBug = {
  wrapProcessor?(inner: Processor): Processor;
  /** Creates the interceptor of one task, and that of all tasks of a process. */
  createInterceptor?(): StatementInterceptor;
  createProcessInterceptor?(): StatementInterceptor;
  /** Changes an error of a transaction. */
  wrapError?(error: unknown): unknown;
  /** An index to drop first. */
  withoutIndex?: string;
  /** The seed of a walk that found the bug, if few do: the search starts there. */
  firstSeed?: number;
};

export const noBug: SimulatedBug = {};

const asRows = (rows: Rows) => rows as never[];

/** An interceptor that runs `instead` for statements that begin with `start`. */
function divert(
  start: string,
  instead: (query: SendStatement, text: string, values: readonly unknown[]) => Promise<Rows>,
): () => StatementInterceptor {
  return () =>
    async (query, text, values = []) =>
      asRows(text.startsWith(start) ? await instead(query, text, values) : await query(text, values));
}

/** A task pays a link that its page showed as open, whatever happened since. */
const payAsShown = divert('with given', async (query, text, values) =>
  query(
    text
      .replace("where state = 'open' and", 'where')
      .replace(/on conflict \(company_id, mode[\s\S]*?do nothing/, ''),
    values,
  ),
);

/** A read of links gets the rows of the one before: it joined a batch that had begun already. */
function interceptWithEarlierRows(): StatementInterceptor {
  const earlier = new Map<string, Rows>();
  return async (query, text, values = []) => {
    const rows: Rows = await query(text, values);
    if (!/ on (p\.)?code = wanted[\s\S]* where (p\.)?company_id = \$1$/.test(text)) return asRows(rows);
    const key = String(values);
    const known = earlier.get(key);
    earlier.set(key, rows);
    return asRows(known ?? rows);
  };
}

const declined: AttemptOutcome = { kind: 'declined', reference: 'none', code: 'processing_error' };

export const simulatedBugs = {
  'check-then-act': {
    createInterceptor: payAsShown,
    withoutIndex: 'attempts_one_live_per_payment',
  },
  'a timeout treated as a decline': {
    wrapProcessor: (inner) => ({
      ...inner,
      authorise: async (request, signal) => await inner.authorise(request, signal).catch(() => declined),
    }),
  },
  'a new key for each retry': {
    wrapProcessor: (inner) => ({
      ...inner,
      authorise: async (request, signal) =>
        await inner
          .authorise(request, signal)
          .catch(
            async () => await inner.authorise({ ...request, attemptId: newId('att', new Date(0)) }, signal),
          ),
    }),
  },
  'a key that is not used up': {
    // An attempt that the processor has not received is treated as void.
    firstSeed: 37,
    wrapProcessor: (inner) => ({
      ...inner,
      cancel: async (key, signal) =>
        (await inner.query(key, signal)) ? await inner.cancel(key, signal) : { kind: 'void' },
    }),
  },
  'a refund under a new key for each retry': {
    wrapProcessor: (inner) => ({
      ...inner,
      refund: async (request, signal) =>
        await inner
          .refund(request, signal)
          .catch(async () => await inner.refund({ ...request, refundId: newId('ref', new Date(0)) }, signal)),
    }),
  },
  'an unchecked amount': {
    wrapProcessor: (inner) => ({
      ...inner,
      authorise: async (request, signal) => {
        const outcome = await inner.authorise(request, signal);
        return outcome.kind === 'succeeded' ? { ...outcome, amountMinor: request.amountMinor } : outcome;
      },
    }),
  },
  'an event left out': {
    createInterceptor: divert('with attempt_moves', async (query, text, values) => {
      const [companyId, attempts, payments, events, ...rest] = values;
      const kept = (JSON.parse(String(events)) as { type: string }[]).filter(
        ({ type }) => type !== 'payment.reopened',
      );
      return await query(text, [companyId, attempts, payments, JSON.stringify(kept), ...rest]);
    }),
  },
  'a late charge not refunded': {
    createInterceptor: divert('insert into refunds', async (query, text, values) =>
      values.includes('surplus') ? [] : await query(text, values),
    ),
  },
  'a refund that failed later and still counts as refunded': {
    createInterceptor: divert(
      'update payments set refunded_minor = refunded_minor -',
      async (query, text, values) =>
        query(text.replace('refunded_minor - $3', 'refunded_minor - $3 + $3'), values),
    ),
  },
  'a refund counted twice': {
    createInterceptor: divert(
      'update payments set refunding_minor = refunding_minor -',
      async (query, text, values) => {
        await query(text, values);
        const again = text.replace('refunding_minor = refunding_minor - $3,', '');
        return await query(again, values);
      },
    ),
  },
  'an attempt that is never due': {
    createInterceptor: divert('with given', async (query, text, values) =>
      query(
        text.replace(/coalesce\(\$4::timestamptz, .*? interval '1 millisecond'/, "greatest('infinity', $&)"),
        values,
      ),
    ),
  },
  'a response from a batch that began before the call': {
    createProcessInterceptor: interceptWithEarlierRows,
  },
  'an error of one payment that fails its whole batch': {
    // The batch can't tell that a statement was refused.
    wrapError: (error) => (isStatementError(error) ? new Error('the batch failed', { cause: error }) : error),
  },
  'locks in the reverse order': {
    createInterceptor: () => async (query, text, values) =>
      asRows(
        await query(
          text.replace('order by payment_id for update', 'order by payment_id desc for update'),
          values,
        ),
      ),
  },
} satisfies Record<string, SimulatedBug>;
export type SimulatedBugName = keyof typeof simulatedBugs;
