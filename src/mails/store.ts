// All SQL of the outbox of emails. Only triggers insert them (migrations/0009_mails.sql, 0010, 0014, 0015, 0019 and 0039).
// Leases use the database's clock, everything else the caller's.

import { Company } from '../companies/store.ts';
import type { SystemTx, TenantTx } from '../db/database.ts';
import {
  type Columns,
  type Fragment,
  jsonOf,
  type RowOf,
  readJson,
  sql,
  statement,
  t,
  type ValueOf,
} from '../db/statements.ts';
import { unnestRows } from '../db/unnest.ts';
import { Attempt, Payment } from '../payments/store.ts';
import { type ClaimOptions, createPostponeRow, dueRows } from '../work/due-rows.ts';

/**
 * Kinds of emails: about a payment; about a webhook endpoint that was disabled; with the link to a new password; about
 * a change to how somebody signs in; with the link of an invitation.
 */
export const paymentEmailKind = t.oneOf(
  'link',
  'reminder',
  'receipt',
  'refund',
  'surplus',
  'notice',
  'link_request',
);
export type PaymentEmailKind = ValueOf<typeof paymentEmailKind>;
export const emailKind = t.either(paymentEmailKind, t.oneOf('endpoint', 'password', 'account', 'invitation'));
export type EmailKind = ValueOf<typeof emailKind>;

/** The scope of an email. The mode is null for an email about the company itself. */
export const EmailScope = { companyId: t.text, mode: t.nullable(t.mode) };
export type EmailScope = RowOf<typeof EmailScope>;

/** An email that this process has claimed until its lease ends. */
export const ClaimedEmail = {
  mailId: t.text,
  /** The event that it reports. */
  eventId: t.text,
  kind: emailKind,
  /** Null in an email about an endpoint or an account. */
  paymentId: t.nullable(t.text),
  refundId: t.nullable(t.text),
  recipient: t.text,
  /** How often it was claimed, including this time: the fencing token. Writes with an old one are refused. */
  tries: t.int4,
  createdAt: t.timestamptz,
};
export type ClaimedEmail = RowOf<typeof ClaimedEmail>;

/** The result of an email. A dropped one was out of date. */
export type FinalEmailState = 'sent' | 'failed' | 'dropped';

/** Waiting emails, by company and mode. Those of the company itself have the lane `none`. */
const waitingEmails = {
  table: sql`mails`,
  id: sql`mail_id`,
  token: sql`tries`,
  lane: sql`coalesce(mode, 'none')`,
  waiting: sql`state = 'queued'`,
};

/** A joined row as JSON; null if there is none. */
const joinedRow = (columns: Columns, alias: 'c' | 'p' | 'a', key: Fragment) =>
  t.computed(sql`case when ${key} is not null then ${jsonOf(columns, alias)} end`, t.nullable(t.json));

/** What most emails are about: the company, the payment, and the attempt that took its money. */
const EmailSubject = {
  company: joinedRow(Company, 'c', sql`c.company_id`),
  payment: joinedRow(Payment, 'p', sql`p.payment_id`),
  charged: joinedRow(Attempt, 'a', sql`a.attempt_id`),
};
export const dueEmails = dueRows(waitingEmails, ClaimedEmail, {
  columns: EmailSubject,
  source: sql`
    left join companies c on c.company_id = $1
    left join payments p on p.company_id = $1 and p.payment_id = claimed."paymentId"
    left join attempts a on a.company_id = $1 and a.payment_id = claimed."paymentId" and a.state = 'succeeded'`,
});
export type EmailWithSubject = {
  mail: ClaimedEmail;
  company: Company | null;
  payment: Payment | null;
  charged: Attempt | null;
};

/** Claims due emails of a lane, with what they are about. */
export async function claimEmails(tx: TenantTx, options: ClaimOptions): Promise<EmailWithSubject[]> {
  const rows = await dueEmails.claim(tx, options);
  return rows.map((row) => {
    const { mailId, eventId, kind, paymentId, refundId, recipient, tries, createdAt } = row;
    return {
      mail: { mailId, eventId, kind, paymentId, refundId, recipient, tries, createdAt },
      company: row.company && readJson(Company, row.company),
      payment: row.payment && readJson(Payment, row.payment),
      charged: row.charged && readJson(Attempt, row.charged),
    };
  });
}

/** Reschedules an email for another attempt. */
export const postponeEmail = createPostponeRow(waitingEmails);

/** The result of an email, and the claim that produced it. */
export type FinishedEmail = Pick<ClaimedEmail, 'mailId' | 'tries'> & {
  state: FinalEmailState;
  error: string | null;
  at: Date;
};

const finishEmailsSql = statement({ mailId: t.text })`
  update mails set state = given.state, last_error = given.error, ended_at = given.at, leased_until = null
  from ${unnestRows('$2::text[], $3::integer[], $4::text[], $5::text[], $6::timestamptz[]', 'mail_id, tries, state, error, at')}
  where mails.company_id = $1 and mails.mail_id = given.mail_id and mails.tries = given.tries and mails.state = 'queued'
    and mails.leased_until is not null
  returning mails.mail_id as "mailId"`;

/** Ends emails. Returns the IDs of those that it ended. Others lost their lease to another process. */
export async function finishEmails(tx: TenantTx, ended: readonly FinishedEmail[]): Promise<string[]> {
  const rows = await tx.query(finishEmailsSql, [
    tx.companyId,
    ended.map(({ mailId }) => mailId),
    ended.map(({ tries }) => tries),
    ended.map(({ state }) => state),
    ended.map(({ error }) => error),
    ended.map(({ at }) => at),
  ]);
  return rows.map(({ mailId }) => mailId);
}

/**
 * Releases an email that was claimed and not started, as if it had not been claimed. It is the holder's last write, so
 * the number of the claim may be used again. Until then the number may equal that of an earlier, expired claim. Every
 * write therefore also requires a lease.
 */
export async function releaseEmail(
  tx: TenantTx,
  mail: Pick<ClaimedEmail, 'mailId' | 'tries'>,
): Promise<void> {
  await tx.query(
    `update mails set tries = tries - 1, leased_until = null
     where company_id = $1 and mail_id = $2 and tries = $3 and state = 'queued' and leased_until is not null`,
    [tx.companyId, mail.mailId, mail.tries],
  );
}

/**
 * Deletes the oldest emails that ended a month ago, of all companies, about `limit` of them. Returns how many. Uses
 * now(), which is constant within a statement, so that the index applies.
 */
export async function deleteOldEmails(tx: SystemTx, limit: number): Promise<number> {
  const rows = await tx.query(
    `delete from mails where state <> 'queued' and ended_at <= (
       select max(ended_at) from (
         select ended_at from mails where state <> 'queued' and ended_at < now() - interval '30 days'
         order by ended_at limit $1) oldest)
     returning ended_at`,
    [limit],
  );
  return rows.length;
}
