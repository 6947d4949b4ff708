// The classic bugs of payment code, planted around the product to prove that the oracle sees them. In
// the tests only: nothing here may be imported by src/.

import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/base/ids.ts';
import type { Database, TenantTx } from '../../src/db/database.ts';
import type { Processor } from '../../src/processors/processor.ts';
import { wrapTransactions } from './crash-points.ts';

export const plantedBugs = [
  'new_key_per_retry',
  'timeout_as_decline',
  'trusted_amount',
  'no_lock',
  'no_index',
  'check_then_act',
  'event_after_commit',
] as const;
export type PlantedBug = (typeof plantedBugs)[number];

/** The processor with one of the bugs, or as it is when the bug is not of that kind. */
export function plantInProcessor(inner: Processor, bug: PlantedBug): Processor {
  if (bug === 'new_key_per_retry')
    return {
      ...inner,
      authorise: async (request, signal) => {
        for (let retry = 0; retry < 2; retry++) {
          const again = { ...request, attemptId: newId('att', new Date()) };
          const soon = AbortSignal.any([signal, AbortSignal.timeout(150)]);
          const outcome = await inner.authorise(again, soon).catch(() => null);
          if (outcome) return outcome;
        }
        throw new Error('no answer, twice');
      },
    };
  if (bug === 'timeout_as_decline')
    return {
      ...inner,
      authorise: async (request, signal) =>
        await inner
          .authorise(request, AbortSignal.any([signal, AbortSignal.timeout(300)]))
          .catch(() => ({ kind: 'declined', reference: 'none', code: 'processing_error' })),
    };
  if (bug === 'trusted_amount')
    return {
      ...inner,
      authorise: async (request, signal) => {
        const outcome = await inner.authorise(request, signal);
        return outcome.kind === 'succeeded' ? { ...outcome, amountMinor: request.amountMinor } : outcome;
      },
    };
  return inner;
}

/** Takes from `reserve` its row lock, or its answer to the unique index, or both. */
function loosen(db: Database, without: { lock: boolean; index: boolean }): void {
  wrapTransactions(
    db,
    async (run, companyId, work) =>
      await run(companyId, async (tx) => {
        const query: TenantTx['query'] = async (text, values) => {
          if (text.startsWith('insert into attempts')) {
            // Time for every tab to have looked before any of them acts.
            await sleep(150);
            const loose = without.index ? text.replace(/on conflict[\s\S]*do nothing/, '') : text;
            return await tx.query(loose, values);
          }
          const locks = /(where company_id = \$1 and code = \$2) for update$/;
          return await tx.query(without.lock ? text.replace(locks, '$1') : text, values);
        };
        return await work({ ...tx, query });
      }),
  );
}

/** Writes every event in a transaction of its own, after the one that it tells of. */
function delayEvents(db: Database): void {
  wrapTransactions(db, async (run, companyId, work) => {
    const late: [string, readonly unknown[] | undefined][] = [];
    const result = await run(companyId, async (tx) => {
      late.length = 0;
      const query: TenantTx['query'] = async (text, values) => {
        if (!text.startsWith('insert into events')) return await tx.query(text, values);
        late.push([text, values]);
        return [];
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

/** Plants a bug of the database's kind. */
export function plantInDatabase(db: Database, bug: PlantedBug): void {
  if (bug === 'no_lock') loosen(db, { lock: true, index: false });
  if (bug === 'no_index') loosen(db, { lock: false, index: true });
  if (bug === 'check_then_act') loosen(db, { lock: true, index: true });
  if (bug === 'event_after_commit') delayEvents(db);
}
