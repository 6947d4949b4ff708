// How two commands for one company keep out of each other's way by its rows of company_homes, although one of them may have lost
// the lock in the directory while its last commit was pending. A switch locks the row of the target, and then that of the source.
// A command that claims or ends an arrival changes the row of the target first, which waits for a running switch, and then reads
// the row of the source, which waits for the commit of the switch.

import { OperatorError } from '../base/operator-error.ts';
import { createTimeBudget, runWithBudget } from '../base/time-budget.ts';
import { type CompanyRecord, insertArrival, lockRecord, markGone, returnHome } from '../cells/home-store.ts';
import type { Sql } from '../db/engine.ts';
import { isUnavailable } from '../db/outage.ts';
import { inOwnTransaction } from '../db/own-transaction.ts';
import { serverSettings } from '../db/session-settings.ts';
import { flushCommit } from '../move/copy-rows.ts';
import { type Cell, isBeforeArrival, type LostSwitch } from './find-company.ts';

/** For each statement of these short transactions. */
const responseLimitMs = 10_000;

/** The company may have switched, so nothing may be undone. */
export class UnknownSwitchError extends OperatorError {}

/** What a cell says of a company, once a decision that is being committed there has ended. Unavailable if it does not end. */
export async function readDecidedRecord({ db }: Cell, companyId: string): Promise<CompanyRecord | null> {
  const opening = { settings: serverSettings, isRehearsal: true };
  return await runWithBudget(
    createTimeBudget(responseLimitMs),
    async () =>
      await db.withConnection(
        async (sql) => await inOwnTransaction(sql, opening, async () => await lockRecord(sql, companyId)),
      ),
  );
}

/** Throws an UnknownSwitchError if the company is not at home in the cell, or if nobody knows. */
async function requireHomeIn(home: Cell, companyId: string): Promise<void> {
  const found = await readDecidedRecord(home, companyId).catch((cause: unknown) => {
    if (!(cause instanceof Error && isUnavailable(cause))) throw cause;
    throw new UnknownSwitchError(
      `${home.name} does not say in time whether ${companyId} is at home there: a switch of an earlier command may be waiting ` +
        'for its commit. Run the command again when the server responds.',
      { cause },
    );
  });
  if (found?.status !== 'home')
    throw new UnknownSwitchError(
      `${companyId} is not at home in ${home.name} any more: an earlier command has switched it. Run the command again.`,
    );
}

/** Changes what `other` knows of a company while it is at home in `home`, and returns the generation of the changed row. */
async function change(
  { companyId, home, other }: { companyId: string; home: Cell; other: Cell },
  write: (sql: Sql) => Promise<void>,
): Promise<string> {
  return await other.db.withConnection(
    async (sql) =>
      await inOwnTransaction(sql, { settings: serverSettings }, async () => {
        // It locks the row, also a new one: no command can decide any more, and one that was deciding has ended.
        await write(sql);
        await requireHomeIn(home, companyId);
        const changed = await lockRecord(sql, companyId);
        if (!changed || changed.status === 'home')
          throw new OperatorError(`${companyId} is at home in ${other.name}. Run the command again.`);
        return changed.generation;
      }),
  );
}

type Places = { companyId: string; home: Cell; other: Cell };

/** The rows of a company that is at home in `home` come to `other` from now on. Returns the generation of this arrival. */
export const claimArrival = async (places: Places): Promise<string> =>
  await change(places, async (sql) => await insertArrival(sql, places.companyId, places.home.name));

/** No rows come to `other` any more, and none is needed there. Returns the generation for their removal. */
export const endArrival = async (places: Places): Promise<string> =>
  await change(places, async (sql) => {
    await markGone(sql, places.companyId, places.home.name);
  });

/**
 * Takes a lost switch back: the company is at home where it came from, with all its rows. Nobody carries the switch out
 * meanwhile, because the server of the target is on another timeline.
 */
export async function takeBack({ from, to, decision }: LostSwitch): Promise<void> {
  const { companyId } = decision;
  // Once more: a standby that was promoted after it had received the end of the move has all rows.
  const there = await readDecidedRecord(to, companyId);
  const isBack =
    isBeforeArrival(there, from.name) &&
    (await from.db.withConnection(
      async (sql) =>
        await inOwnTransaction(sql, { settings: serverSettings }, async () => {
          await flushCommit(sql);
          return await returnHome(sql, decision);
        }),
    ));
  if (!isBack)
    throw new OperatorError(`Another command has changed where ${companyId} is. Run the command again.`);
}

/** Locks an arrival until the transaction ends. Throws an OperatorError if it has ended: another command has begun. */
export async function requireArrival(sql: Sql, companyId: string, generation: string): Promise<void> {
  const arrival = await lockRecord(sql, companyId);
  if (arrival?.status !== 'arriving' || arrival.generation !== generation)
    throw new OperatorError(
      `Another command has ended this arrival of ${companyId}, so it was given up. Run the command again.`,
    );
}
