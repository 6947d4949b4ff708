// The classic bugs of payment code, planted around the product to prove that the oracle detects them. src/ must not
// import this file.

import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/base/ids.ts';
import type { Database, TenantTx } from '../../src/db/database.ts';
import type { AttemptOutcome, Processor } from '../../src/processors/processor.ts';
import { wrapTransactions } from './crash-points.ts';

export const plantedBugs = [
  'new_key_per_retry',
  'timeout_as_decline',
  'trusted_amount',
  'cancel_unasked',
  'no_lock',
  'no_index',
  'check_then_act',
  'event_after_commit',
  'stale_news_applied',
  'no_payment_guard',
  'no_refund_guard',
  'deliveries_after_commit',
] as const;
export type PlantedBug = (typeof plantedBugs)[number];

/**
 * The processor with a bug; unchanged if the bug belongs elsewhere. Bugs with a timeout use `patienceMs`, which must be
 * shorter than the service's timeout.
 */
export function plantInProcessor(inner: Processor, bug: PlantedBug, patienceMs: number): Processor {
  if (bug === 'new_key_per_retry')
    return {
      ...inner,
      authorise: async (request, signal) => {
        for (let retry = 0; retry < 2; retry++) {
          const again = { ...request, attemptId: newId('att', new Date()) };
          // The second call waits longer, because it must get a response.
          const soon = AbortSignal.any([
            signal,
            AbortSignal.timeout(retry === 0 ? patienceMs / 2 : patienceMs),
          ]);
          const outcome = await inner.authorise(again, soon).catch(() => null);
          if (outcome) return outcome;
        }
        throw new Error('no answer, twice');
      },
    };
  if (bug === 'timeout_as_decline') {
    const decline = (): AttemptOutcome => ({ kind: 'declined', reference: 'none', code: 'processing_error' });
    const soon = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    return {
      ...inner,
      authorise: async (request, signal) => await inner.authorise(request, soon(signal)).catch(decline),
      capture: async (request, signal) => await inner.capture(request, soon(signal)).catch(decline),
    };
  }
  if (bug === 'trusted_amount')
    return {
      ...inner,
      authorise: async (request, signal) => {
        const outcome = await inner.authorise(request, signal);
        return outcome.kind === 'succeeded' ? { ...outcome, amountMinor: request.amountMinor } : outcome;
      },
    };
  if (bug === 'cancel_unasked') return { ...inner, cancel: async () => ({ kind: 'void' }) };
  return inner;
}

/** Removes the row lock, the index, or both from the start of attempts. */
function loosen(db: Database, without: { lock: boolean; index: boolean }): void {
  wrapTransactions(
    db,
    async (run, companyId, work) =>
      await run(companyId, async (tx) => {
        const query: TenantTx['query'] = async (text, values) => {
          if (!text.startsWith('with given')) {
            const lock = /(\bcode = [\s\S]*) for update$/;
            return await tx.query(without.lock ? text.replace(lock, '$1') : text, values);
          }
          const index = /on conflict \(company_id, mode[\s\S]*?do nothing/;
          const unindexed = without.index ? text.replace(index, '') : text;
          if (!without.lock) return await tx.query(unindexed, values);
          // Every tab reads before any of them writes.
          const unlocked = unindexed
            .replace('for update of payments skip locked', '')
            .replace('from given join', 'from (select pg_sleep(0.15)) as pause cross join given join');
          return await tx.query(unlocked, values);
        };
        return await work({ ...tx, query });
      }),
  );
}

/** A transition without its status condition. The parameter stays, because the database needs its type. */
const withoutStateGuard = (text: string) =>
  text.replace('and state = $3', 'and $3::text is not null').replaceAll('and state = "stateFrom"', '');

/**
 * Ignores final statuses when an outcome is recorded: a succeeded attempt reads as unknown, and transitions check no
 * status.
 */
function forgetEnds(db: Database): void {
  wrapTransactions(
    db,
    async (run, companyId, work) =>
      await run(companyId, async (tx) => {
        let isRecording = false;
        const query: TenantTx['query'] = async <Row extends Record<string, unknown>>(
          text: string,
          values?: readonly unknown[],
        ) => {
          isRecording ||= / payments .*payment_id = [\s\S]* for update( of payments)?( skip locked)?$/.test(
            text,
          );
          const isMove = text.startsWith('with attempt_moves');
          const rows = await tx.query<Row>(isMove ? withoutStateGuard(text) : text, values);
          if (!isRecording || !/(from|join) attempts .*\s+order by/.test(text)) return rows;
          return rows.map((row) => (row.state === 'succeeded' ? { ...row, state: 'unknown' } : row));
        };
        return await work({ ...tx, query });
      }),
  );
}

/**
 * Removes the lock and the condition from the transitions of payments, or from the reservation of refunds. Each read
 * that would have locked is followed by a pause in which others can write.
 */
function loosenGuards(db: Database, withoutGuard: (text: string) => string): void {
  const lock = /((?:from|join) payments [\s\S]*) for update( of payments)?( skip locked)?$/;
  wrapTransactions(
    db,
    async (run, companyId, work) =>
      await run(companyId, async (tx) => {
        const query: TenantTx['query'] = async <Row extends Record<string, unknown>>(
          text: string,
          values?: readonly unknown[],
        ) => {
          if (!lock.test(text)) return await tx.query(withoutGuard(text), values);
          const rows = await tx.query<Row>(text.replace(lock, '$1'), values);
          await sleep(30);
          return rows;
        };
        return await work({ ...tx, query });
      }),
  );
}

/** Writes events of the statement that moves attempts. */
const writeEvents = `
  insert into events (company_id, event_id, type, is_public, payment_id, attempt_id, actor, data, at)
  select $1, "eventId", type, "isPublic", "paymentId", "attemptId", actor,
         data || jsonb_build_object('version', (select version from payments where payment_id = "paymentId")), at
  from json_to_recordset($2::json) as e ("eventId" text, type text, "isPublic" boolean, "paymentId" text,
                                         "attemptId" text, actor text, data jsonb, at timestamptz)`;

/** Writes events in a separate transaction after the one that they describe. */
function delayEvents(db: Database): void {
  wrapTransactions(db, async (run, companyId, work) => {
    const late: [string, readonly unknown[] | undefined][] = [];
    const result = await run(companyId, async (tx) => {
      late.length = 0;
      const query: TenantTx['query'] = async (text, values) => {
        if (!text.startsWith('with attempt_moves')) return await tx.query(text, values);
        const [companyId, attempts, payments, events, ...rest] = values ?? [];
        late.push([writeEvents, [companyId, events]]);
        return await tx.query(text, [companyId, attempts, payments, '[]', ...rest]);
      };
      return await work({ ...tx, query });
    });
    if (late.length > 0)
      await run(companyId, async (tx) => {
        for (const [text, values] of late) await tx.query(text, values);
      });
    return result;
  });
}

/** Writes deliveries in a separate transaction after that of their events. Drop the trigger first. */
function delayDeliveries(db: Database): void {
  wrapTransactions(db, async (run, companyId, work) => {
    const eventIds: unknown[] = [];
    const result = await run(companyId, async (tx) => {
      eventIds.length = 0;
      const query: TenantTx['query'] = async (text, values) => {
        if (text.startsWith('insert into events')) eventIds.push(values?.[1]);
        return await tx.query(text, values);
      };
      return await work({ ...tx, query });
    });
    if (eventIds.length > 0)
      await run(companyId, async (tx) => {
        await tx.query(
          `insert into webhook_deliveries (company_id, mode, delivery_id, endpoint_id, event_id, event_at, due_at)
           select e.company_id, e.mode, 'whd_' || substr(e.event_id, 5), w.endpoint_id, e.event_id, e.at, e.at
           from events e join webhook_endpoints w using (company_id)
           where e.is_public and e.event_id = any($1)`,
          [eventIds],
        );
        tx.signal('deliveries_due');
      });
    return result;
  });
}

/** Plants a bug in the database; does nothing if the bug belongs elsewhere. */
export function plantInDatabase(db: Database, bug: PlantedBug): void {
  if (bug === 'no_lock') loosen(db, { lock: true, index: false });
  if (bug === 'no_index') loosen(db, { lock: false, index: true });
  if (bug === 'check_then_act') loosen(db, { lock: true, index: true });
  if (bug === 'event_after_commit') delayEvents(db);
  if (bug === 'deliveries_after_commit') delayDeliveries(db);
  if (bug === 'stale_news_applied') forgetEnds(db);
  if (bug === 'no_payment_guard')
    loosenGuards(db, (text) => (text.startsWith('with attempt_moves') ? withoutStateGuard(text) : text));
  if (bug === 'no_refund_guard')
    loosenGuards(db, (text) =>
      text.replace(/\s+and refunded_minor \+ refunding_minor \+ \$3 <= amount_minor/, ''),
    );
}
