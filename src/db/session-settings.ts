// What a statement needs of its session, set for one transaction at a time. A session may not be ours: a pooler in
// transaction mode gives each transaction any of the server's, and refuses most settings at the start of a connection.
// Must never: set anything that outlasts its transaction.

export const statementLimitMs = 10_000;
export const lockLimitMs = 5_000;
const idleTransactionLimitMs = 30_000;

const idleLimit = `set local idle_in_transaction_session_timeout = ${idleTransactionLimitMs}`;

/**
 * Texts of times, in and out, and unqualified names depend on these, which a server, a database or a role may have set
 * otherwise.
 */
const sessionDefaults =
  "set local TimeZone = UTC; set local DateStyle = 'ISO, MDY'; set local search_path = public";

/** What follows `begin` on a server. */
export const serverSettings =
  `set local statement_timeout = ${statementLimitMs}; set local lock_timeout = ${lockLimitMs}; ` +
  `${idleLimit}; ${sessionDefaults}`;

/**
 * What follows `begin` where statements may take as long as they take. On a server nobody may keep a transaction and its
 * locks without saying anything; the embedded engine knows no such limit.
 */
export const unlimitedSettings = (kind: 'embedded' | 'server') =>
  `set local statement_timeout = 0; set local lock_timeout = 0; ${sessionDefaults}${kind === 'server' ? `; ${idleLimit}` : ''}`;

/** These end the transaction that they run in, or refuse to be in one. */
const standsAlone =
  /^\s*(?:begin|start|commit|end|rollback|abort|vacuum|reindex|cluster|checkpoint|discard|(?:create|drop|alter)\s+(?:database|tablespace|system)|(?:create(?:\s+unique)?|drop)\s+index\s+concurrently)\b/i;

const ownBegin = /^\s*begin\s*;/i;

/** How a statement of no transaction is sent: its own text, and what goes before and behind it, if anything. */
export function wrapStatement(
  text: string,
  settings: string,
): { text: string; opening: string | null; closing: string | null } {
  if (settings === '') return { text, opening: null, closing: null };
  // A text that is a whole transaction, as the job queue sends them, gets the settings inside it.
  if (ownBegin.test(text))
    return { text: text.replace(ownBegin, `begin; ${settings};`), opening: null, closing: null };
  if (standsAlone.test(text)) return { text, opening: null, closing: null };
  return { text, opening: `begin; ${settings}`, closing: 'commit' };
}
