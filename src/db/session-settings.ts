// Settings that a statement needs, set for one transaction at a time. A session may be shared: a pooler in
// transaction mode gives each transaction any of the server's sessions and refuses most settings at
// connection start. Must not: set anything that outlasts its transaction.

export const statementLimitMs = 10_000;
export const lockLimitMs = 5_000;
const idleTransactionLimitMs = 30_000;

/** Settings by their names. The values are our own, without quotes. */
export type Settings = Readonly<Record<string, string>>;

/** The calls that set them until the transaction ends, for the list of a select. */
function listCalls(settings: Settings): string[] {
  return Object.entries(settings).map(([name, value]) => {
    if (/['\\]/.test(name + value)) throw new Error('a setting has a quote');
    // safe: both are our own, and neither has a quote.
    return `pg_catalog.set_config('${name}', '${value}', true)`;
  });
}

/** The statement that sets all of them until the transaction ends: one, because every transaction begins with it. */
export function setLocal(settings: Settings): string {
  // safe: the calls above.
  return `select ${listCalls(settings).join(', ')}`;
}

/** The role, the company and the mode of a transaction. */
export type ScopeSettings = { role: string; 'paylink.company_id': string; 'paylink.mode': string };

/**
 * The same for settings that are always the same, with the scope of each transaction: as text, and as a statement without
 * rows that takes the scope as parameters, so that it stays prepared. `entersCompanies`: whether a transaction of a company
 * first enters it, as cells require; see migrations/0055_cells.sql.
 */
export function createSetLocal(fixed: Settings, { entersCompanies }: { entersCompanies: boolean }) {
  const calls = listCalls(fixed);
  const names: readonly (keyof ScopeSettings)[] = ['role', 'paylink.company_id', 'paylink.mode'];
  // safe: the names are literals.
  const scoped = names.map((name, index) => `pg_catalog.set_config('${name}', $${index + 1}, true)`);
  const enters = (scope: ScopeSettings) => entersCompanies && scope['paylink.company_id'] !== '';
  // safe: the calls above.
  const join = (parts: readonly string[]) => `select where pg_catalog.concat(${parts.join(', ')}) = ''`;
  const statement = join([...calls, ...scoped]);
  const entering = join([...calls, ...scoped, 'public.enter_company($2)']);
  return {
    text: (scope: ScopeSettings) => {
      const scopeCalls = listCalls(scope);
      // safe: listCalls refuses an ID with a quote.
      const entry = enters(scope) ? [`public.enter_company('${scope['paylink.company_id']}')`] : [];
      // safe: as in setLocal.
      return `select ${[...calls, ...scopeCalls, ...entry].join(', ')}`;
    },
    statement: (scope: ScopeSettings) => ({
      text: enters(scope) ? entering : statement,
      values: names.map((name) => scope[name]),
    }),
  };
}

const idleLimit: Settings = { idle_in_transaction_session_timeout: String(idleTransactionLimitMs) };

/**
 * Time formats and unqualified names depend on these settings. A server, a database or a role may set them
 * differently.
 */
const sessionDefaults: Settings = { TimeZone: 'UTC', DateStyle: 'ISO, MDY', search_path: 'public' };

/** What a transaction on a server sets first. */
export const serverSettings: Settings = {
  statement_timeout: String(statementLimitMs),
  lock_timeout: String(lockLimitMs),
  ...idleLimit,
  ...sessionDefaults,
};

/**
 * What a transaction sets first if its statements have no time limit. A server still ends an idle transaction,
 * which would hold its locks; the embedded engine has no such limit.
 */
export const unlimitedSettings = (kind: 'embedded' | 'server'): Settings => ({
  ...{ statement_timeout: '0', lock_timeout: '0', ...sessionDefaults },
  ...(kind === 'server' ? idleLimit : {}),
});

/** Statements that end their transaction, or refuse to run in one. */
const standsAlone =
  /^\s*(?:begin|start|commit|end|rollback|abort|vacuum|reindex|cluster|checkpoint|discard|(?:create|drop|alter)\s+(?:database|tablespace|system)|(?:create(?:\s+unique)?|drop)\s+index\s+concurrently)\b/i;

/** How a statement without a transaction is sent: its text, with optional texts before and after it. */
export function wrapStatement(
  text: string,
  settings: Settings,
): { text: string; opening: string | null; closing: string | null } {
  if (Object.keys(settings).length === 0) return { text, opening: null, closing: null };
  if (standsAlone.test(text)) return { text, opening: null, closing: null };
  return { text, opening: `begin; ${setLocal(settings)}`, closing: 'commit' };
}
