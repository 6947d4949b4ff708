// The only access to PostgreSQL. Data of a company goes through inTenant, inCompany or inBothModes, under row-level
// security; other data goes through inSystem. The connecting role is only for migrations and start-up. Must not: give a caller a connection with the role, company or mode of other work.

import { runInTestTime } from '../base/clock.ts';
import { once } from '../base/once.ts';
import { runInSpan } from '../base/spans.ts';
import { runWithBudget, type TimeBudgetExceededError } from '../base/time-budget.ts';
import { type CommittedFact, type CommittedFactListener, collectFacts } from './committed-facts.ts';
import {
  type ConnectionPool,
  type DatabaseConnection,
  isStatementError,
  type PoolState,
  rowsOf,
  type StatementResult,
  withPooledConnection,
} from './connection.ts';
import type { Engine, Sql } from './engine.ts';
import { createNestingGuard } from './nesting-guard.ts';
import type { OutageEvent } from './outage.ts';
import { ping } from './ping.ts';
import { indexScanSettings } from './prefer-index-scans.ts';
import { type ScopeModes, scopeSettings, systemSettings } from './scope-settings.ts';
import { openServer } from './server.ts';
import { createSetLocal, type ScopeSettings, type Settings, wrapStatement } from './session-settings.ts';
import { createStatementNames, noStatementNames } from './statement-names.ts';
import type { Statement } from './statements.ts';
import { retryOnConflict, runSingleTransaction, runTransaction } from './transaction.ts';

/** What a transaction may report after its commit: it wrote a public event, or deliveries are due. */
export type CommitNotification = 'public_event' | 'deliveries_due';

export type CommitNotificationListener = (companyId: string, signal: CommitNotification) => void;

export type Mode = 'test' | 'live';

/** The rows that a transaction may see: those of one company in one mode. */
export type TenantScope = { readonly companyId: string; readonly mode: Mode };

/** A transaction that sees the rows of one company. Each query is exactly one statement. */
export type TenantTx = Sql & {
  readonly companyId: string;
  /** The mode of the rows that it sees and writes; null in `inCompany` and `inBothModes`. */
  readonly mode: Mode | null;
  /** Notifies the listeners of this process after the commit, and only then. */
  signal(signal: CommitNotification): void;
  /** Reports a fact to who counts in this process, after the commit, and only then. */
  note(fact: CommittedFact): void;
};

/** A transaction on the tables without a company. Each query is exactly one statement. */
export type SystemTx = Sql;

type RunInScope<Scope> = <T>(
  scope: Scope,
  work: (tx: TenantTx) => Promise<T>,
  options?: TransactionOptions,
) => Promise<T>;

export type TransactionOptions = {
  /** It only reads, all as of one moment, and a statement may take an hour: for reads of all data of a company. */
  isSnapshot?: boolean;
  /** Its statements are prepared, and planned once for all values and for lists of any length. */
  isBatch?: boolean;
  /**
   * It takes one statement, which is sent with the settings in one round trip, and has committed when it resolves: an error of
   * `work` after it rolls nothing back.
   */
  isSingle?: boolean;
  /** See prefer-index-scans.ts. */
  prefersIndexScans?: boolean;
};

export type Database = {
  kind: 'embedded' | 'server';
  /** The name of the cell; null for a database without cells, and for an installation of several. */
  cell: string | null;
  /**
   * The databases that it consists of: itself, or that of the directory and then the cells that are up. What is done for all
   * companies, or for a whole database, is done in each. `inSystem`, `asOwner` and `withConnection` of an installation use its directory.
   */
  cells(): readonly Database[];
  /** The names of the cells that this process has not reached yet. */
  downCells(): readonly string[];
  /** Calls the listener for each of its databases, now or when it is opened. */
  onCellOpen(listener: (cell: Database) => void): void;
  /** The database of a company; of several, the cell that it is in. Throws if that cell is down. */
  cellOf(companyId: string): Promise<Database>;
  /** The same without asking that cell, which the company may have left. */
  lastCellOf(companyId: string): Promise<Database>;
  /** Whether email addresses are found in a directory (src/cells/), because companies are in several databases. */
  hasDirectory: boolean;
  /**
   * One transaction under the role paylink_tenant. It sees and writes the rows of one company in one mode,
   * and the company's rows without a mode. Commits, or rolls back and throws the error of `work`. After a
   * deadlock or a serialisation failure it runs `work` again, up to 3 times, so `work` must have no effect
   * outside the database.
   */
  inTenant: RunInScope<TenantScope>;
  /**
   * The same without a mode, for the company's own data: members, sessions, keys, settings. It neither sees
   * nor writes rows with a mode, so no payments.
   */
  inCompany: RunInScope<string>;
  /**
   * The same over both modes: for the nightly checks, the sealing of events, a rotation of the master key,
   * and reading the mode of a row before entering it. It cannot insert a row that needs a mode.
   */
  inBothModes: RunInScope<string>;
  /** The same under the role paylink_system, without a company. */
  inSystem<T>(work: (tx: SystemTx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Receives the notifications of this process's transactions after their commit. A notification is only a
   * hint to query at once: a process that dies in between sends none. So listeners also poll.
   */
  onSignal(listener: CommitNotificationListener): void;
  /** Receives what the transactions of this process did, after their commit. The listener must not throw. */
  onCommittedFact(listener: CommittedFactListener): void;
  /** Statements outside a transaction, as the connecting role: migrations, statistics, start-up code. */
  asOwner: Sql;
  /**
   * One connection for `work` alone, as the connecting role. It bypasses a pooler if a direct address is set,
   * and is closed afterwards, which releases its locks. Behind a pooler in transaction mode no session state
   * outlasts a transaction, so `work` opens one with the settings that it needs.
   */
  withConnection<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Resolves when the database responds and takes writes; rejects after 2 s. */
  ping(): Promise<void>;
  /** The connections of this process, at this moment. */
  poolState(): PoolState;
  /** Records that work gave up waiting for the database, which may be unreachable. */
  noteSpent(error: TimeBudgetExceededError): void;
  /** One sentence on the durability of commits, printed at start. */
  durability: string;
  /** Waits for open transactions, then closes. A second call returns the same promise. */
  close(): Promise<void>;
};

/** The longest time for a statement that reads all data of a company. */
const snapshotLimitMs = 60 * 60 * 1000;
const snapshotLimit: Settings = { statement_timeout: String(snapshotLimitMs) };

/** How transactions with these options begin: with the settings, the role and the scope. */
function createOpenings(settings: Settings, entry: { entersCompanies: boolean }) {
  const openings = new Map<string, ReturnType<typeof createSetLocal>>();
  return ({ isSnapshot, isBatch, prefersIndexScans }: TransactionOptions) => {
    const key = `${isSnapshot} ${isBatch} ${prefersIndexScans}`;
    const own: Settings = {
      ...(isBatch && { plan_cache_mode: 'force_generic_plan' }),
      ...(isSnapshot && snapshotLimit),
      ...(prefersIndexScans && indexScanSettings),
    };
    const opening = openings.get(key) ?? createSetLocal({ ...settings, ...own }, entry);
    openings.set(key, opening);
    return opening;
  };
}

export const modes: readonly Mode[] = ['test', 'live'];

export function modeOf({ mode }: TenantTx): Mode {
  if (mode === null) throw new Error('this transaction has no mode: open it with inTenant');
  return mode;
}

export async function inTenantOrCompany<T>(
  db: Database,
  { companyId, mode }: { companyId: string; mode: Mode | null },
  work: (tx: TenantTx) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  return mode
    ? await db.inTenant({ companyId, mode }, work, options)
    : await db.inCompany(companyId, work, options);
}

/** A scope as one text, the key of batches, and the scope of such a text. */
export const scopeKey = ({ companyId, mode }: TenantScope): string => `${mode} ${companyId}`;
export function scopeOfKey(key: string): TenantScope {
  const [mode, companyId = ''] = key.split(' ');
  return { companyId, mode: mode === 'live' ? 'live' : 'test' };
}

/**
 * Opens the database: the server at `databaseUrl`, or the embedded engine in `dataDir` without one.
 * `poolSize` is the number of connections to a server (default 10), `directUrl` its address past a pooler.
 * Without `preparesStatements` (default true) it keeps no statements prepared. `log` gets one line per
 * notable event. `onOutage` gets the outages of a server; without it `log` gets them too. `cell` is its name as a cell. Throws
 * DataFolderInUseError, or an Error with one sentence for the operator.
 */
export async function openDatabase(options: {
  databaseUrl?: string;
  directUrl?: string;
  preparesStatements?: boolean;
  dataDir: string;
  poolSize?: number;
  log: (message: string) => void;
  onOutage?: (news: OutageEvent) => void;
  cell?: string;
}): Promise<Database> {
  const { databaseUrl, dataDir, poolSize, log, cell, ...server } = options;
  const engine = databaseUrl
    ? await openServer({
        ...{ ...server, databaseUrl, poolSize: poolSize ?? 10, log },
        // The command that moves a company holds its lock on one of them, and works on the other.
        directConnections: cell ? 2 : 1,
        entersCompanies: cell !== undefined,
      })
    : await openEmbedded({ dataDir, log });
  return createDatabase(engine, cell ?? null);
}

/** Loads the embedded engine only when needed: it is large, and unused beside a server. */
async function openEmbedded(options: { dataDir: string; log: (message: string) => void }): Promise<Engine> {
  const embedded = await import('./embedded.ts');
  return await embedded.openEmbedded(options);
}

/**
 * Notifies all listeners. Their work outlasts the request that caused it, so it must neither end with its budget nor
 * be a part of its span or of its test time.
 */
function notifyListeners(
  listeners: readonly CommitNotificationListener[],
  companyId: string,
  signals: ReadonlySet<CommitNotification>,
): void {
  for (const notification of signals)
    for (const listener of listeners)
      runWithBudget(null, () =>
        runInSpan(null, () => runInTestTime(null, () => listener(companyId, notification))),
      );
}

function reportTimeout({ watch }: ConnectionPool, error: TimeBudgetExceededError): void {
  watch?.failed(error, { since: performance.now() - error.limitMs, hasFailed: false });
}

/** Runs a transaction in a scope. */
function createRunner(engine: Engine, entry: { entersCompanies: boolean }) {
  const { pool, limits } = engine;
  const nameOf = engine.preparesStatements === false ? noStatementNames : createStatementNames();
  const openingOf = createOpenings(engine.settings ?? {}, entry);
  return <T>(scope: ScopeSettings, kind: TransactionOptions, work: (tx: Sql) => Promise<T>): Promise<T> => {
    const { isSnapshot, isBatch, isSingle } = kind;
    const opening = openingOf(kind);
    const common = {
      limits: isSnapshot ? { ...limits, queryTimeoutMs: snapshotLimitMs, isReading: true } : limits,
      ...{ nameOf, prepares: isBatch === true },
    };
    if (isSingle) return runSingleTransaction(pool, { ...common, opening: opening.statement(scope) }, work);
    const begin = isSnapshot ? 'begin isolation level repeatable read, read only' : 'begin';
    const options = { opening: `${begin}; ${opening.text(scope)}`, hasRowSecurity: scope !== systemSettings };
    return runTransaction(pool, { ...common, ...options }, work);
  };
}

/** A Database on an engine. `cell`: its name, if it is a cell of an installation with several databases. */
export function createDatabase(engine: Engine, cell: string | null = null): Database {
  const { pool } = engine;
  const guarded = createNestingGuard();
  const listeners: CommitNotificationListener[] = [];
  const factListeners: CommittedFactListener[] = [];

  const run = createRunner(engine, { entersCompanies: cell !== null });

  const inScope = <T>(
    { companyId, modes }: { companyId: string; modes: ScopeModes },
    work: (tx: TenantTx) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> =>
    guarded((enter) => {
      const scope = scopeSettings(companyId, modes);
      const mode = modes === 'test' || modes === 'live' ? modes : null;
      return retryOnConflict(async () => {
        // Start empty on each run: a run that was rolled back must not notify.
        const signals = new Set<CommitNotification>();
        const signal = (wanted: CommitNotification) => void signals.add(wanted);
        const { note, report } = collectFacts(factListeners, mode);
        const result = await run(scope, options, ({ query }) =>
          enter(() => work({ companyId, mode, query, signal, note })),
        );
        report();
        notifyListeners(listeners, companyId, signals);
        return result;
      });
    });

  const inSystem: Database['inSystem'] = (work, options = {}) =>
    guarded((enter) =>
      retryOnConflict(() => run(systemSettings, options, ({ query }) => enter(() => work({ query })))),
    );

  const database: Database = {
    kind: engine.kind,
    cell,
    cells: () => [database],
    downCells: () => [],
    onCellOpen: (listener) => listener(database),
    cellOf: async () => database,
    lastCellOf: async () => database,
    hasDirectory: false,
    inTenant: ({ companyId, mode }, work, options) => inScope({ companyId, modes: mode }, work, options),
    inCompany: (companyId, work, options) => inScope({ companyId, modes: 'none' }, work, options),
    inBothModes: (companyId, work, options) => inScope({ companyId, modes: 'both' }, work, options),
    onSignal: (listener) => void listeners.push(listener),
    onCommittedFact: (listener) => void factListeners.push(listener),
    poolState: engine.poolState,
    inSystem,
    asOwner: { query: (text, values) => guarded(() => runAlone(engine, text, values)) },
    withConnection: (work) =>
      guarded((enter) => withOwnConnection(engine.directPool ?? pool, (sql) => enter(() => work(sql)))),
    ping: () => guarded(() => ping(pool, { entersCompanies: cell !== null })),
    noteSpent: (error) => reportTimeout(pool, error),
    durability: engine.durability,
    close: once(engine.close),
  };
  return database;
}

async function withOwnConnection<T>(pool: ConnectionPool, work: (sql: Sql) => Promise<T>): Promise<T> {
  return await withPooledConnection(pool, { closeAfterUse: true }, async (connection) => {
    let isOver = false;
    const query: Sql['query'] = async (text, values) => {
      if (isOver) throw new Error('connection used after its end');
      return rowsOf(text, await connection.run(text, values));
    };
    try {
      return await work({ query });
    } finally {
      isOver = true;
    }
  });
}

async function runAlone<T extends Record<string, unknown>>(
  { pool, limits, settings = {} }: Engine,
  text: string | Statement<T>,
  values: readonly unknown[] | undefined,
): Promise<T[]> {
  const statement = { ...wrapStatement(text, settings), values };
  return await withPooledConnection(pool, limits, async (connection) => {
    return rowsOf(text, await runWrapped(connection, statement));
  });
}

type WrappedStatement = ReturnType<typeof wrapStatement> & { values: readonly unknown[] | undefined };

async function runWrapped(
  connection: DatabaseConnection,
  { text, values, opening, closing }: WrappedStatement,
): Promise<StatementResult> {
  try {
    // All in one round trip. If the opening fails, the database refuses the statement too, and `commit` rolls
    // back.
    const [, outcome, closed] = await settleAll([
      opening === null ? null : connection.run(opening),
      connection.run(text, values),
      closing === null ? null : connection.run(closing),
    ]);
    if (closed && closed.command !== 'COMMIT') throw new Error('nothing was committed');
    return outcome as StatementResult;
  } catch (error) {
    // The error arrives before the server reports the state of the connection. An empty query waits for it: a
    // connection whose transaction failed must not return to the pool.
    if (isStatementError(error)) await connection.run('').catch(() => connection.discard());
    else connection.discard();
    throw error;
  }
}

/**
 * Waits for all, then throws the first error: no statement may be under way when the connection is returned.
 */
async function settleAll(runs: (Promise<StatementResult> | null)[]): Promise<(StatementResult | null)[]> {
  const ends = await Promise.allSettled(runs);
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}
