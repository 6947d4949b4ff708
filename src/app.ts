// Opens and closes everything that the service consists of: database, keys, processors, server, the worker.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type RecordDeps, recordOutcome } from './attempts/record-outcome.ts';
import { type Clock, createCompanyClock, realClockOf, systemClock } from './base/clock.ts';
import { openKeyring } from './base/keyring.ts';
import { once } from './base/once.ts';
import { isUnreachable } from './cells/check-databases.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { type KeptStatistics, keepStatistics } from './db/keep-statistics.ts';
import { refuseUnfinishedMove } from './db/move-store.ts';
import type { OutageEvent } from './db/outage.ts';
import type { AppDeps } from './deps.ts';
import { listKindsOfWork } from './due-work.ts';
import type { HttpServer } from './http/http-server.ts';
import { buildServer } from './http/server.ts';
import { removeOldEmailFiles } from './mails/email-files.ts';
import { type EmailTransport, openFileTransport, openSmtp } from './mails/transport.ts';
import { loadMasterKeys } from './master-key.ts';
import { openMetrics } from './metrics/open-metrics.ts';
import { openConfiguredDatabase, prepareForService } from './open-database.ts';
import { type HashCost, openPasswordPool, type PasswordPoolLimits } from './passwords/password-pool.ts';
import type { ReportOutcome } from './processors/processor.ts';
import { createProcessors } from './processors/registry.ts';
import { openReceiptRenderer, type ReceiptRenderer } from './receipts/receipt-renderer.ts';
import { registerRoutes } from './register-routes.ts';
import { openRequestLog, type RequestLog } from './request-log/open-request-log.ts';
import { openTracing } from './tracing/open-tracing.ts';
import { version } from './version.ts';
import type { WebhookTimings } from './webhooks/deliver.ts';
import type { KindsOf, LaneLimits, WorkKind } from './work/work-kind.ts';
import { openWorker, type Worker } from './work/worker.ts';
import { openWorkers } from './work/workers.ts';

/** How long a processor may take; below 15 s, when an attempt is due for the first time. */
const processorTimeoutMs = 10_000;

/**
 * How long a request may wait for the database in total, so that it gets a response within 5 s when the
 * database hangs.
 */
const databaseWaitLimitMs = 4_000;

/**
 * How long workers take new work while requests finish, so that what these requests enqueue is sent at once.
 * If workers waited for all requests first, a stop would exceed its time.
 */
export const workersGoOnMs = 5_000;

export type App = {
  deps: AppDeps;
  server: HttpServer;
  /** Works what is due later, once the service listens. */
  work: Worker;
  requestLog: RequestLog;
  listen(): Promise<void>;
  /**
   * From now on the process is not ready, and every response closes its connection. It still accepts
   * connections.
   */
  drain(): void;
  /** Closes the listener, finishes requests in progress with `Connection: close`, then closes everything. */
  stop(): Promise<void>;
};

/** The timing of due work. */
export type WorkTimings = {
  pollMs?: number;
  firstPauseMs?: number;
  workLeaseSeconds?: number;
  mailLeaseSeconds?: number;
  calendarLeaseSeconds?: number;
};

export type AppOptions = {
  config: Config;
  log: Logger;
  clock?: Clock;
  processorTimeoutMs?: number;
  /** Seconds until an unfinished attempt or refund is due for the first time. */
  firstReconcileSeconds?: number;
  /** Seconds until an unfinished request with an Idempotency-Key may run again. */
  leaseSeconds?: number;
  /** The timing of due work. The defaults suit production; tests set shorter times. */
  workTimings?: WorkTimings;
  webhookTimings?: WebhookTimings;
  /** How many webhooks may be in progress at once. */
  webhookLimits?: LaneLimits;
  /** How many passwords may be checked at once, and how many may wait. */
  passwordLimits?: Partial<PasswordPoolLimits>;
  /** Only tests set it: `src/serve.ts` does not. */
  passwordCost?: HashCost;
  /** Replaces the thread that draws receipts. Only tests set it. */
  receiptRenderer?: ReceiptRenderer;
  /** Replaces the processors of the registry. */
  processors?: typeof createProcessors;
};

/** Receives unsolicited reports of processors. They take the same path as responses. */
function createOutcomeReporter(deps: RecordDeps & { log: Logger }): ReportOutcome {
  return async ({ processor, ...report }) => {
    await recordOutcome(deps, { ...report, actor: `processor:${processor}` });
    const { companyId, attemptId, outcome } = report;
    deps.log.info(
      { companyId, attemptId, processor, outcome: outcome.kind },
      'a processor reported an attempt',
    );
  };
}

/**
 * Logs an outage of the database. The failures that it causes are not logged one by one; see telemetry.ts.
 */
function logOutage(log: Logger, news: OutageEvent): void {
  if (news.kind === 'began') log.error({ err: news.error }, 'the database is unavailable');
  else if (news.kind === 'ended')
    log.info(
      { tookMs: news.tookMs, count: news.failures },
      'the database is back; the count is that of failed uses',
    );
  else log.info({ err: news.error, count: news.count }, 'idle database connections were lost');
}

async function openDeps(options: AppOptions): Promise<AppDeps> {
  const { config, log } = options;
  const clock = createCompanyClock(options.clock ?? systemClock);
  const { baseUrl, webhooksAllowLoopback } = config;
  const logMessage = (message: string) => log.info(message);
  // After the first database is opened: an embedded one locks the folder in which the keys are stored.
  const loadKeys = once(async () => await loadMasterKeys(config));
  const db = await openConfiguredDatabase(config, {
    log: logMessage,
    onOutage: (news, cell) => logOutage(cell ? log.child({ cell }) : log, news),
    onFault: (message, cell) => log.error({ cell }, message),
    prepare: async (database) =>
      await prepareForService(database, { masterKeys: await loadKeys(), log: logMessage }),
  });
  try {
    const masterKeys = await loadKeys();
    const tracing = await openTracing(config.tracing, { log, version, poolState: db.poolState });
    const keyring = await openKeyring(masterKeys.current, masterKeys.old);
    const reportOutcome = createOutcomeReporter({ db, clock, log });
    const processors = (options.processors ?? createProcessors)({
      ...{ db, clock, baseUrl, reportOutcome, keyring },
      apiUrls: config.processorUrls,
    });
    const metrics = config.metrics
      ? await openMetrics({ settings: config.metrics, version, log, db, clock, processors })
      : null;
    return {
      config,
      log,
      clock,
      db,
      tracing,
      keyring,
      passwords: openPasswordPool(options.passwordLimits, options.passwordCost),
      processors: metrics?.processors ?? processors,
      metrics,
      receiptRenderer: options.receiptRenderer ?? openReceiptRenderer(),
      webhooksAllowLoopback,
      baseUrl,
      processorTimeoutMs: options.processorTimeoutMs ?? processorTimeoutMs,
      ...(options.firstReconcileSeconds === undefined
        ? {}
        : { firstReconcileSeconds: options.firstReconcileSeconds }),
      ...(options.leaseSeconds === undefined ? {} : { leaseSeconds: options.leaseSeconds }),
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Where emails go: to the SMTP server, or without one into the data folder. */
async function openTransport({ config }: AppDeps): Promise<EmailTransport> {
  const { smtp, dataDir } = config;
  const folder = join(dataDir, 'mails');
  // Delete old files from the time before the SMTP server.
  if (smtp) await removeOldEmailFiles(folder, systemClock.now()).catch(() => 0);
  return smtp ? openSmtp(smtp) : await openFileTransport(folder);
}

/**
 * All kinds of due work of a database. They are opened once: its worker and the advance of test clocks share their limits,
 * such as that of connections to the mail server, and end together.
 */
function createKindsOf(deps: AppDeps, options: AppOptions, transport: EmailTransport): KindsOf {
  const { webhookTimings, webhookLimits, workTimings } = options;
  const opened = new Map<Database, WorkKind<never>[]>();
  const open = (db: Database) =>
    listKindsOfWork({
      ...{ ...deps, db, transport, mailFrom: deps.config.mailFrom },
      ...(webhookTimings ? { webhookTimings } : {}),
      ...(webhookLimits ? { webhookLimits } : {}),
      ...workTimings,
    });
  return (db) => {
    const kinds = opened.get(db) ?? open(db);
    opened.set(db, kinds);
    return kinds;
  };
}

/** Opens a worker for each database. They do nothing until the service listens. */
function openServiceWorkers(deps: AppDeps, { workTimings }: AppOptions, kindsOf: KindsOf): Worker {
  return openWorkers(deps.db, (db) =>
    openWorker({ ...deps, db, ...workTimings, ...deps.metrics?.watchRuns(db.cell) }, kindsOf(db)),
  );
}

/** Builds the whole service from its settings; `listen` opens the port. */
export async function createApp(options: AppOptions): Promise<App> {
  const deps = await openDeps(options);
  const { config } = deps;
  const transport = await openTransport(deps);
  const kindsOf = createKindsOf(deps, options, transport);
  const work = openServiceWorkers(deps, options, kindsOf);
  let stopping: Promise<void> | null = null;
  let statistics: KeptStatistics | null = null;
  let isDraining = false;
  const isStopping = () => isDraining;
  const { trustedProxies, connectionsPerClient } = config;
  // The embedded database runs in this process: while it works, no request could get a response anyway.
  const { kind, noteSpent } = deps.db;
  const databaseWait = kind === 'server' ? { limitMs: databaseWaitLimitMs, noteSpent } : null;
  const server = await buildServer({
    ...deps,
    ...{ trustedProxies, connectionsPerClient, databaseWait, isStopping },
    ...(deps.metrics && { onAnswer: deps.metrics.onAnswer }),
  });
  const requestLog = openRequestLog({
    ...deps,
    clock: realClockOf(deps.clock),
    days: config.requestLogDays,
    onDropped: deps.metrics?.onLostRequests,
  });
  await registerRoutes(server, deps, { isStopping, requestLog, kindsOf });
  await server.ready();
  return {
    deps,
    server,
    work,
    requestLog,
    listen: async () => {
      statistics = keepStatistics(deps);
      // Without statistics each statement would read a company's whole tables.
      await statistics.known();
      await refuseUnfinishedMoves(deps.db);
      deps.log.info(transport.description);
      await deps.metrics?.listen();
      work.start();
      await server.listen({ port: config.port, host: config.host });
    },
    drain: () => {
      isDraining = true;
    },
    // A second call waits for the first.
    stop: async () => {
      isDraining = true;
      stopping ??= closeAll(server, deps, { work, statistics, requestLog });
      await stopping;
    },
  };
}

/** A move may have committed since the databases were opened. */
async function refuseUnfinishedMoves(db: Database): Promise<void> {
  const [first, ...others] = db.cells();
  // The database of the directory, or the only one, must be up.
  if (first) await refuseUnfinishedMove(first);
  for (const cell of others)
    await refuseUnfinishedMove(cell).catch((error: unknown) => {
      // It has died since it was opened: an outage, as at run time.
      if (!isUnreachable(error)) throw error;
    });
}

async function closeAll(
  server: HttpServer,
  deps: AppDeps,
  {
    work,
    statistics,
    requestLog,
  }: { work: Worker; statistics: KeptStatistics | null; requestLog: RequestLog },
): Promise<void> {
  const answered = server.close();
  await Promise.race([answered, sleep(workersGoOnMs, undefined, { ref: false })]);
  await Promise.all([
    answered.then(async () => await deps.passwords.close()),
    work.stop(),
    statistics?.stop(),
  ]);
  await requestLog.close();
  await deps.receiptRenderer.close();
  await deps.metrics?.close();
  await deps.db.close();
  await deps.tracing.close();
  deps.log.info('stopped');
}
