// The only place that constructs and wires everything: database, keys, processors, routes, the worker.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { registerKeyRoutes } from './api-keys/routes.ts';
import { hasKeyOfMode } from './api-keys/store.ts';
import { type RecordDeps, recordOutcome } from './attempts/record-outcome.ts';
import { registerLineRoutes } from './bank/line-routes.ts';
import { registerStatementRoutes } from './bank/statement-routes.ts';
import { type Clock, systemClock } from './base/clock.ts';
import { normaliseEmail } from './base/email-address.ts';
import { openKeyring } from './base/keyring.ts';
import { catchUpNumbers } from './catch-up-numbers.ts';
import { requireMasterKey } from './check-master-key.ts';
import { assetPaths } from './checkout/assets.ts';
import { registerPreviewRoute } from './checkout/preview-routes.ts';
import { registerCheckoutRoutes } from './checkout/routes.ts';
import { registerShopRoutes } from './checkout/shop-routes.ts';
import { registerLogoRoutes } from './companies/logo-routes.ts';
import { registerCompanyRoutes } from './companies/routes.ts';
import { type Config, databaseOptions } from './config.ts';
import { registerConnectionRoutes } from './connections/routes.ts';
import { registerDashboardRoutes } from './dashboard/routes.ts';
import { type Statistics, startAutoAnalyze } from './db/auto-analyze.ts';
import { openDatabase } from './db/database.ts';
import { migrate, migrationsDir } from './db/migrate.ts';
import { refuseUnfinishedMove } from './db/move-store.ts';
import type { OutageEvent } from './db/outage.ts';
import type { AppDeps } from './deps.ts';
import { listKindsOfWork } from './due-work.ts';
import { registerAuditRoutes } from './events/audit-routes.ts';
import { registerEventRoutes } from './events/routes.ts';
import { useApiLimits } from './http/api-limits.ts';
import type { VerifyCredentials } from './http/authentication.ts';
import { registerDocsPage } from './http/docs-page.ts';
import { useFormParser } from './http/form-body.ts';
import type { HttpServer } from './http/http-server.ts';
import { useIdempotency } from './http/idempotency.ts';
import { describeApi } from './http/openapi.ts';
import { registerProbeRoutes } from './http/probe-routes.ts';
import { buildServer, collectRoutes, refuseOtherMethods } from './http/server.ts';
import { useSessionCookie } from './http/session-cookie.ts';
import { registerLedgerRoutes } from './ledger/routes.ts';
import { registerLinkRoutes } from './links/link-routes.ts';
import { registerQrRoute } from './links/qr-routes.ts';
import { registerPaymentRoutes } from './links/routes.ts';
import { removeOldEmailFiles } from './mails/email-files.ts';
import { registerEmailRoutes } from './mails/routes.ts';
import { type EmailTransport, openFileTransport, openSmtp } from './mails/transport.ts';
import { loadMasterKeys } from './master-key.ts';
import { openMetrics } from './metrics/open-metrics.ts';
import { registerOverviewRoute } from './overview/routes.ts';
import { type HashCost, openPasswordPool, type PasswordPoolLimits } from './passwords/password-pool.ts';
import { registerCaseRoutes } from './payments/case-routes.ts';
import type { ReportOutcome } from './processors/processor.ts';
import { createProcessors } from './processors/registry.ts';
import { registerSandboxRoutes } from './processors/sandbox/routes.ts';
import { shownTestCards } from './processors/sandbox/test-cards.ts';
import { openReceiptRenderer, type ReceiptRenderer } from './receipts/receipt-renderer.ts';
import { registerProcessorWebhookRoutes } from './reconciliation/processor-webhook-routes.ts';
import { registerRefundRoutes } from './refunds/routes.ts';
import { registerFindRoutes } from './search/routes.ts';
import { registerSignInRoutes } from './sign-in/routes.ts';
import { verifyCookie } from './sign-in/verify-cookie.ts';
import { createVerifier } from './sign-in/verify-credentials.ts';
import { registerOperatorRoutes } from './status/routes.ts';
import { registerMemberRoutes } from './team/routes.ts';
import { openTracing } from './tracing/open-tracing.ts';
import { version } from './version.ts';
import type { WebhookTimings } from './webhooks/deliver.ts';
import { registerDeliveryRoutes } from './webhooks/delivery-routes.ts';
import { registerEndpointRoutes } from './webhooks/endpoint-routes.ts';
import { countUnhealthyEndpoints } from './webhooks/endpoint-store.ts';
import { describeMessages } from './webhooks/event-types.ts';
import { registerMessageRoute } from './webhooks/message-routes.ts';
import type { LaneLimits } from './work/work-kind.ts';
import { openWorker, type Worker } from './work/worker.ts';

const iconFile = new URL('./checkout/assets/icon.svg', import.meta.url);

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
  const clock = options.clock ?? systemClock;
  const { baseUrl, webhooksAllowLoopback } = config;
  const logMessage = (message: string) => log.info(message);
  const db = await openDatabase({
    ...databaseOptions(config),
    log: logMessage,
    onOutage: (news) => logOutage(log, news),
  });
  try {
    const masterKeys = await loadMasterKeys(config);
    await migrate(db, { dir: migrationsDir, log: logMessage });
    await refuseUnfinishedMove(db);
    await requireMasterKey(db, masterKeys);
    await catchUpNumbers(db, { log: logMessage });
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

async function registerRoutes(server: HttpServer, deps: AppDeps, isStopping: () => boolean): Promise<void> {
  const { config, db, baseUrl } = deps;
  const seen = collectRoutes(server);
  useApiLimits(server, {
    db,
    callsPerSecond: config.rateLimitApiPerSecond,
    refusalsPerMinute: config.rateLimitRefusalsPerMinute,
  });
  useSessionCookie(server, deps);
  useIdempotency(server, deps);
  const sendDescription = await describeApi(server, { version, baseUrl, webhooks: describeMessages() });
  await registerDocsPage(server, { icon: readFileSync(iconFile), sendDescription });
  registerProbeRoutes(server, { db, isStopping });
  const verifyHeaders = createVerifier(deps);
  const verify: VerifyCredentials = async (credentials) =>
    'cookie' in credentials ? await verifyCookie(deps, credentials) : await verifyHeaders(credentials);
  const guarded = { ...deps, verifyCredentials: verify };
  const isOperator = (email: string) => config.operatorEmails.includes(normaliseEmail(email));
  const signingIn = { ...guarded, isOperator, loginsPerMinute: config.rateLimitLoginPerMinute };
  registerSignInRoutes(server, signingIn);
  registerKeyRoutes(server, guarded);
  registerMemberRoutes(server, { ...signingIn, canSendEmail: config.smtp !== null });
  registerCompanyRoutes(server, { ...guarded, hasKeyOfMode });
  await registerLogoRoutes(server, { ...guarded, hasKeyOfMode });
  registerPaymentRoutes(server, {
    ...guarded,
    processPerSecond: config.rateLimitProcessPerSecond,
  });
  await registerProcessorWebhookRoutes(server, { ...deps, poolSize: config.databasePoolSize });
  registerConnectionRoutes(server, guarded);
  registerLinkRoutes(server, guarded);
  registerRefundRoutes(server, guarded);
  registerCaseRoutes(server, guarded);
  registerFindRoutes(server, guarded);
  registerOverviewRoute(server, { ...guarded, countUnhealthyEndpoints: countUnhealthyEndpoints });
  registerEventRoutes(server, { ...guarded, isStopping });
  registerAuditRoutes(server, guarded);
  registerLedgerRoutes(server, guarded);
  registerOperatorRoutes(server, { ...guarded, isOperator });
  registerQrRoute(server, guarded);
  registerEndpointRoutes(server, guarded);
  registerDeliveryRoutes(server, guarded);
  registerMessageRoute(server, guarded);
  registerEmailRoutes(server, guarded);
  await registerStatementRoutes(server, guarded);
  registerLineRoutes(server, guarded);
  await registerCheckoutRoutes(server, { ...deps, testCards: shownTestCards });
  registerPreviewRoute(server, { ...guarded, testCards: shownTestCards });
  registerShopRoutes(server, deps);
  registerDashboardRoutes(server, deps);
  await server.register(async (scope: HttpServer) => {
    useFormParser(scope);
    registerSandboxRoutes(scope, { db, stylesheet: assetPaths().css });
  });
  refuseOtherMethods(server, seen);
}

/** Where emails go: to the SMTP server, or without one into the data folder. */
async function openTransport({ config }: AppDeps): Promise<EmailTransport> {
  const { smtp, dataDir } = config;
  const folder = join(dataDir, 'mails');
  // Delete old files from the time before the SMTP server.
  if (smtp) await removeOldEmailFiles(folder, systemClock.now()).catch(() => 0);
  return smtp ? openSmtp(smtp) : await openFileTransport(folder);
}

/** Opens the worker. It does nothing until the service listens. */
function openServiceWorker(deps: AppDeps, options: AppOptions, transport: EmailTransport): Worker {
  const { webhookTimings, webhookLimits, workTimings } = options;
  const kinds = listKindsOfWork({
    ...{ ...deps, transport, mailFrom: deps.config.mailFrom },
    ...(webhookTimings ? { webhookTimings } : {}),
    ...(webhookLimits ? { webhookLimits } : {}),
    ...workTimings,
  });
  const { onRunStart, onRun } = deps.metrics ?? {};
  const reports = onRunStart && onRun ? { onRunStart, onRun } : {};
  return openWorker({ ...deps, ...workTimings, ...reports }, kinds);
}

/**
 * The embedded database has a single connection, which this must not occupy; its maintenance also analyses.
 */
function openAutoAnalyze({ db, log }: AppDeps): Statistics | null {
  if (db.kind === 'embedded') return null;
  return startAutoAnalyze(db.asOwner, (err) => log.warn({ err }, 'table statistics could not be updated'));
}

/** Builds the whole service from its settings; `listen` opens the port. */
export async function createApp(options: AppOptions): Promise<App> {
  const deps = await openDeps(options);
  const { config } = deps;
  const transport = await openTransport(deps);
  const work = openServiceWorker(deps, options, transport);
  let stopping: Promise<void> | null = null;
  let statistics: Statistics | null = null;
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
  await registerRoutes(server, deps, isStopping);
  await server.ready();
  return {
    deps,
    server,
    work,
    listen: async () => {
      statistics = openAutoAnalyze(deps);
      // Without statistics each statement would read a company's whole tables.
      await statistics?.known;
      // A move may have committed since the database was opened.
      await refuseUnfinishedMove(deps.db);
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
      stopping ??= closeAll(server, deps, { work, statistics });
      await stopping;
    },
  };
}

async function closeAll(
  server: HttpServer,
  deps: AppDeps,
  { work, statistics }: { work: Worker; statistics: Statistics | null },
): Promise<void> {
  const answered = server.close();
  await Promise.race([answered, sleep(workersGoOnMs, undefined, { ref: false })]);
  await Promise.all([
    answered.then(async () => await deps.passwords.close()),
    work.stop(),
    statistics?.stop(),
  ]);
  await deps.receiptRenderer.close();
  await deps.metrics?.close();
  await deps.db.close();
  await deps.tracing.close();
  deps.log.info('stopped');
}
