// Settings that a statement needs, set for one transaction at a time. A session may be shared: a pooler in
// transaction mode gives each transaction any of the server's sessions and refuses most settings at
// connection start. Must not: set anything that outlasts its transaction.

export const statementLimitMs = 10_000;
export const lockLimitMs = 5_000;
const idleTransactionLimitMs = 30_000;

const idleLimit = `set local idle_in_transaction_session_timeout = ${idleTransactionLimitMs}`;

/**
 * Time formats and unqualified names depend on these settings. A server, a database or a role may set them
 * differently.
 */
const sessionDefaults =
  "set local TimeZone = UTC; set local DateStyle = 'ISO, MDY'; set local search_path = public";

/** What follows `begin` on a server. */
export const serverSettings =
  `set local statement_timeout = ${statementLimitMs}; set local lock_timeout = ${lockLimitMs}; ` +
  `${idleLimit}; ${sessionDefaults}`;

/**
 * What follows `begin` where statements have no time limit. A server still ends an idle transaction, which
 * would hold its locks; the embedded engine has no such limit.
 */
export const unlimitedSettings = (kind: 'embedded' | 'server') =>
  `set local statement_timeout = 0; set local lock_timeout = 0; ${sessionDefaults}${kind === 'server' ? `; ${idleLimit}` : ''}`;

/** Statements that end their transaction, or refuse to run in one. */
const standsAlone =
  /^\s*(?:begin|start|commit|end|rollback|abort|vacuum|reindex|cluster|checkpoint|discard|(?:create|drop|alter)\s+(?:database|tablespace|system)|(?:create(?:\s+unique)?|drop)\s+index\s+concurrently)\b/i;

const ownBegin = /^\s*begin\s*;/i;

/** How a statement without a transaction is sent: its text, with optional texts before and after it. */
export function wrapStatement(
  text: string,
  settings: string,
): { text: string; opening: string | null; closing: string | null } {
  if (settings === '') return { text, opening: null, closing: null };
  // A text that is a whole transaction, as the job queue sends it, gets the settings inside.
  if (ownBegin.test(text))
    return { text: text.replace(ownBegin, `begin; ${settings};`), opening: null, closing: null };
  if (standsAlone.test(text)) return { text, opening: null, closing: null };
  return { text, opening: `begin; ${settings}`, closing: 'commit' };
}
