// Reminds customers of open links before they expire, once for each link. Writes only the event: a trigger creates the
// email (migrations/0009_mails.sql).

import { type Clock, runInTimeOf, type TestClocks } from '../base/clock.ts';
import { listCompaniesWithReminders } from '../companies/store.ts';
import { type Database, modes, type TenantScope } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { markReminded } from '../payments/store.ts';

const companyBatchSize = 500;
const paymentBatchSize = 200;
const hourMs = 60 * 60 * 1000;

type RemindDeps = { db: Database; clock: Clock };

/** Reminds of the links of a company in one mode that are due. Returns how many. */
export async function remindCompany(
  deps: RemindDeps,
  company: TenantScope & { reminderHours: number },
): Promise<number> {
  const { companyId, mode, reminderHours: hours } = company;
  const now = deps.clock.now();
  const until = new Date(now.getTime() + hours * hourMs);
  let count = 0;
  for (;;) {
    const reminded = await deps.db.inTenant({ companyId, mode }, async (tx) => {
      const ids = await markReminded(tx, { now, until, hours, limit: paymentBatchSize });
      for (const paymentId of ids)
        await appendEvent(tx, {
          type: 'payment.reminded',
          isPublic: false,
          paymentId,
          actor: 'job:remind-payments',
          data: {},
          at: now,
        });
      return ids.length;
    });
    count += reminded;
    if (reminded < paymentBatchSize) return count;
  }
}

/** Reminds of every link that is due, in the time of its company. Returns how many this call reminded of. */
export async function remindPayments(deps: RemindDeps, clocks: TestClocks = new Map()): Promise<number> {
  let count = 0;
  let after = '';
  for (;;) {
    const companies = await deps.db.inSystem(
      async (tx) => await listCompaniesWithReminders(tx, after, companyBatchSize),
    );
    for (const company of companies)
      for (const mode of modes) {
        const scope = { ...company, mode };
        count += await runInTimeOf(clocks, scope, async () => await remindCompany(deps, scope));
      }
    after = companies.at(-1)?.companyId ?? '';
    if (companies.length < companyBatchSize) return count;
  }
}
