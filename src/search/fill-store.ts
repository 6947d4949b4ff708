// The SQL that fills the words of payments from the events: which companies have new events, how far each one is filled,
// and the words. Must not: pass over an event at or above the horizon, where others may still appear before it.

import type { SystemTx, TenantTx } from '../db/database.ts';
import { first, pick, type RowOf, sql, statement, t } from '../db/statements.ts';
import { unnestDistinct } from '../db/unnest.ts';
import { Payment } from '../payments/store.ts';

/** A claim of the work for all processes. Numbers of events exceed the exact range of a number, so they are text. */
export const FillClaim = { filledBelow: t.text, horizon: t.text, leaseToken: t.int8 };
export type FillClaim = RowOf<typeof FillClaim>;

/** The position in a company's events up to which its words are filled. */
export const FillPosition = { xact: t.text, eventId: t.text };
export type FillPosition = RowOf<typeof FillPosition>;

/** How long another process waits if this one dies. */
const leaseSeconds = 30;

const isFree = sql`(leased_until is null or leased_until < clock_timestamp())`;
const horizon = sql`event_horizon()`;
const isDue = sql`(
  exists (select from events where xact >= filled_below and xact < ${horizon})
  or exists (select from payment_word_positions where not is_filled))`;

const isFillDueSql = statement({ isDue: t.bool })`
  select ${isFree} and ${isDue} as "isDue" from payment_word_progress`;

/** Whether there are new events, and no process works on them. */
export async function isFillDue(tx: SystemTx): Promise<boolean> {
  return first(await tx.query(isFillDueSql))?.isDue ?? false;
}

const oldestSql = sql`(
  select at from events where xact >= filled_below and xact < ${horizon} order by xact, company_id limit 1)`;
const findUnfilledSql = statement({ isDue: t.bool, oldestAt: t.nullable(t.timestamptz) })`
  select ${isDue} as "isDue", ${oldestSql} as "oldestAt" from payment_word_progress`;

/** Whether there is something to fill, whoever works on it, and the time of the oldest new event. */
export async function findUnfilled(tx: SystemTx): Promise<{ isDue: boolean; oldestAt: Date | null }> {
  return first(await tx.query(findUnfilledSql)) ?? { isDue: false, oldestAt: null };
}

const claimFillSql = statement(FillClaim)`
  update payment_word_progress
  set leased_until = clock_timestamp() + $1::float8 * interval '1 second', lease_token = lease_token + 1
  where ${isFree} and ${isDue}
  returning filled_below::text as "filledBelow", ${horizon}::text as horizon, lease_token as "leaseToken"`;

/** Claims the work; null if there is none, or another process does it. */
export async function claimFill(tx: SystemTx): Promise<FillClaim | null> {
  return first(await tx.query(claimFillSql, [leaseSeconds]));
}

const endFillSql = sql`
  update payment_word_progress set leased_until = null, filled_below = greatest(filled_below, $2::xid8)
  where lease_token = $1`;

/** Ends the claim. `filledBelow`: every filled company has the words of all earlier transactions. */
export async function endFill(tx: SystemTx, leaseToken: number, filledBelow: string): Promise<void> {
  await tx.query(endFillSql, [leaseToken, filledBelow]);
}

const listChangedSql = statement({ companyId: t.text })`
  select distinct e.company_id as "companyId"
  from events e left join payment_word_positions p on p.company_id = e.company_id
  where e.xact >= $1::xid8 and e.xact < $2::xid8 and e.company_id > $3
    and (p.company_id is null or (p.is_filled and e.xact >= p.xact))
  order by "companyId" limit $4`;

/** Companies with events between the bounds that their position has not reached. Without those that were never filled. */
export async function listChanged(
  tx: SystemTx,
  page: { from: string; horizon: string; after: string; limit: number },
): Promise<string[]> {
  const rows = await tx.query(listChangedSql, [page.from, page.horizon, page.after, page.limit]);
  return rows.map(({ companyId }) => companyId);
}

const listUnfilledSql = statement({ companyId: t.text })`
  select company_id as "companyId" from payment_word_positions where not is_filled order by company_id limit $1`;

/** Companies whose events have not been read to their end yet. */
export async function listUnfilled(tx: SystemTx, limit: number): Promise<string[]> {
  return (await tx.query(listUnfilledSql, [limit])).map(({ companyId }) => companyId);
}

const isFilledSql = statement({ isFilled: t.bool })`
  select is_filled as "isFilled" from payment_word_positions where company_id = $1`;

/** Whether a search of the company may read its words. */
export async function isFilled(tx: TenantTx): Promise<boolean> {
  return first(await tx.query(isFilledSql, [tx.companyId]))?.isFilled ?? false;
}

const lockPositionSql = statement(FillPosition)`
  select xact::text as xact, event_id as "eventId" from payment_word_positions where company_id = $1 for update`;

/** The position of a company, locked: the words of a company are filled by one transaction after another. */
export async function lockPosition(tx: TenantTx): Promise<FillPosition> {
  const found = first(await tx.query(lockPositionSql, [tx.companyId]));
  if (found) return found;
  await tx.query('insert into payment_word_positions (company_id) values ($1) on conflict do nothing', [
    tx.companyId,
  ]);
  const added = first(await tx.query(lockPositionSql, [tx.companyId]));
  if (!added) throw new Error('the position of a company was added and is gone');
  return added;
}

const savePositionSql = sql`
  update payment_word_positions set xact = $2::xid8, event_id = $3, is_filled = is_filled or $4
  where company_id = $1`;

export async function savePosition(
  tx: TenantTx,
  position: FillPosition & { isFilled: boolean },
): Promise<void> {
  await tx.query(savePositionSql, [tx.companyId, position.xact, position.eventId, position.isFilled]);
}

/** Events after which a payment may have other words. */
const changing = ['payment.created', 'payment.updated', 'payment.paid'];

/** A batch of events: their number, the position of the last one, and the payments that may have other words since. */
const FollowedEvents = {
  count: t.int4,
  xact: t.nullable(t.text),
  eventId: t.nullable(t.text),
  paymentIds: t.array(t.text),
};
export type FollowedEvents = RowOf<typeof FollowedEvents>;

const lastFollowed = sql`from followed order by followed.xact desc, event_id desc limit 1`;

const listFollowedSql = statement(FollowedEvents)`
  with followed as materialized (
    select xact, event_id, type, payment_id from events
    where company_id = $1 and (xact, event_id) > ($2::xid8, $3) and xact < $4::xid8
    order by events.xact, event_id limit $6)
  select (select count(*)::int from followed) as count, (select followed.xact::text ${lastFollowed}) as xact,
    (select event_id ${lastFollowed}) as "eventId",
    array(select distinct payment_id from followed where type = any($5) and payment_id is not null) as "paymentIds"`;

/** The events after a position and below a horizon, `limit` at most. */
export async function listFollowed(
  tx: TenantTx,
  { after, horizon: below, limit }: { after: FillPosition; horizon: string; limit: number },
): Promise<FollowedEvents> {
  const values = [tx.companyId, after.xact, after.eventId, below, changing, limit];
  const [followed] = await tx.query(listFollowedSql, values);
  if (!followed) throw new Error('a select without a table gave no row');
  return followed;
}

const SearchedPayment = {
  ...pick(Payment, 'paymentId', 'mode', 'customerOrderId', 'email', 'firstName', 'lastName'),
  ...pick(Payment, 'description', 'amountMinor', 'currency'),
  cardLast4: t.nullable(t.text),
};
export type SearchedPayment = RowOf<typeof SearchedPayment>;

const listSearchedSql = statement(SearchedPayment)`
  select payment_id as "paymentId", mode, customer_order_id as "customerOrderId", email, first_name as "firstName",
    last_name as "lastName", description, amount_minor as "amountMinor", currency,
    (select card_last4 from attempts a
     where a.company_id = payments.company_id and a.payment_id = payments.payment_id and a.state = 'succeeded'
     limit 1) as "cardLast4"
  from ${unnestDistinct('$2')} join payments on payment_id = wanted where company_id = $1`;

/** What the words of payments are made of. */
export async function listSearched(tx: TenantTx, paymentIds: readonly string[]): Promise<SearchedPayment[]> {
  return await tx.query(listSearchedSql, [tx.companyId, paymentIds]);
}

// Words that stay are neither removed nor inserted. Differences of sets, because a join of both would compare each pair if the
// planner expects few words. Nobody else writes words of the company meanwhile: its position is locked.
const replaceWordsSql = sql`
  with given as materialized (
    select payment_id, mode, word from unnest($2::text[], $3::text[], $4::text[]) as payment (payment_id, mode, words)
    cross join lateral string_to_table(words, ' ') as word),
  stored as materialized (
    select payment_id, mode, word from ${unnestDistinct('$2')} join payment_words on payment_id = wanted
    where company_id = $1),
  removed as (
    delete from payment_words w
    using (select payment_id, mode, word from stored except select payment_id, mode, word from given) as gone
    where w.company_id = $1 and w.payment_id = gone.payment_id and w.word = gone.word and w.mode = gone.mode)
  insert into payment_words (company_id, mode, payment_id, word)
  select $1, mode, payment_id, word
  from (select payment_id, mode, word from given except select payment_id, mode, word from stored) as added`;

/** The words of some payments: removes those that they no longer have, and adds the new ones. */
export async function replaceWords(
  tx: TenantTx,
  payments: readonly { paymentId: string; mode: string; words: readonly string[] }[],
): Promise<void> {
  await tx.query(replaceWordsSql, [
    tx.companyId,
    payments.map(({ paymentId }) => paymentId),
    payments.map(({ mode }) => mode),
    // As one text for each payment, because the client spends time on each member of a list. No word has white space.
    payments.map(({ words }) => words.join(' ')),
  ]);
}
