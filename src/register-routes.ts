// Registers all routes on the server, with what they need. Must not: open anything.

import { registerKeyRoutes } from './api-keys/routes.ts';
import { hasKeyOfMode } from './api-keys/store.ts';
import { registerLineRoutes } from './bank/line-routes.ts';
import { registerStatementRoutes } from './bank/statement-routes.ts';
import { realClockOf } from './base/clock.ts';
import { normaliseEmail } from './base/email-address.ts';
import { assetPaths } from './checkout/assets.ts';
import { registerPreviewRoute } from './checkout/preview-routes.ts';
import { registerCheckoutRoutes } from './checkout/routes.ts';
import { registerShopRoutes } from './checkout/shop-routes.ts';
import { registerLogoRoutes } from './companies/logo-routes.ts';
import { registerCompanyRoutes } from './companies/routes.ts';
import { registerConnectionRoutes } from './connections/routes.ts';
import { registerDashboardRoutes } from './dashboard/routes.ts';
import type { AppDeps } from './deps.ts';
import { registerDocsRoutes } from './docs/routes.ts';
import { registerAuditRoutes } from './events/audit-routes.ts';
import { registerEventRoutes } from './events/routes.ts';
import { useApiLimits } from './http/api-limits.ts';
import type { VerifyCredentials } from './http/authentication.ts';
import { useFormParser } from './http/form-body.ts';
import type { HttpServer } from './http/http-server.ts';
import { useIdempotency } from './http/idempotency.ts';
import { describeApi } from './http/openapi.ts';
import { registerProbeRoutes } from './http/probe-routes.ts';
import { collectRoutes, refuseOtherMethods } from './http/server.ts';
import { useSessionCookie } from './http/session-cookie.ts';
import { useVersions } from './http/use-versions.ts';
import { registerLedgerRoutes } from './ledger/routes.ts';
import { registerLinkRoutes } from './links/link-routes.ts';
import { registerQrRoute } from './links/qr-routes.ts';
import { registerPaymentRoutes } from './links/routes.ts';
import { registerEmailRoutes } from './mails/routes.ts';
import { registerOverviewRoute } from './overview/routes.ts';
import { registerCaseRoutes } from './payments/case-routes.ts';
import { registerSandboxRoutes } from './processors/sandbox/routes.ts';
import { shownTestCards } from './processors/sandbox/test-cards.ts';
import { registerProcessorWebhookRoutes } from './reconciliation/processor-webhook-routes.ts';
import { registerRefundListRoutes } from './refunds/list-routes.ts';
import { registerRefundRoutes } from './refunds/routes.ts';
import type { RequestLog } from './request-log/open-request-log.ts';
import { registerRequestLogRoutes } from './request-log/routes.ts';
import { registerFindRoutes } from './search/routes.ts';
import { registerServiceKeyRoutes } from './service-keys/routes.ts';
import { registerSignInRoutes } from './sign-in/routes.ts';
import { verifyCookie } from './sign-in/verify-cookie.ts';
import { createVerifier } from './sign-in/verify-credentials.ts';
import { registerOperatorRoutes } from './status/routes.ts';
import { registerMemberRoutes } from './team/routes.ts';
import { registerClockRoutes } from './test-mode/clock-routes.ts';
import { registerStateRoutes } from './test-mode/state-routes.ts';
import { version } from './version.ts';
import { registerDeliveryRoutes } from './webhooks/delivery-routes.ts';
import { registerEndpointRoutes } from './webhooks/endpoint-routes.ts';
import { countUnhealthyEndpoints } from './webhooks/endpoint-store.ts';
import { describeMessages } from './webhooks/event-types.ts';
import { registerMessageRoute } from './webhooks/message-routes.ts';
import type { KindsOf } from './work/work-kind.ts';

export type RouteOptions = {
  isStopping: () => boolean;
  requestLog: RequestLog;
  kindsOf: KindsOf;
};

/** The dependencies of routes behind credentials: those that a test clock moves, and those that it never moves. */
function guard(deps: AppDeps, real: AppDeps) {
  const verifyHeaders = createVerifier(real);
  const verifyCredentials: VerifyCredentials = async (credentials) =>
    'cookie' in credentials ? await verifyCookie(real, credentials) : await verifyHeaders(credentials);
  return { guarded: { ...deps, verifyCredentials }, guardedReal: { ...real, verifyCredentials } };
}

type Guarded = ReturnType<typeof guard>;

/** Hooks that apply to all routes that are registered later. */
async function registerHooks(
  server: HttpServer,
  deps: AppDeps,
  { real, requestLog }: { real: AppDeps; requestLog: RequestLog },
): Promise<void> {
  const { config, db, baseUrl } = deps;
  useApiLimits(server, {
    db,
    callsPerSecond: config.rateLimitApiPerSecond,
    refusalsPerMinute: config.rateLimitRefusalsPerMinute,
  });
  requestLog.record(server);
  useSessionCookie(server, real);
  useIdempotency(server, deps);
  useVersions(server, deps);
  await describeApi(server, { version, baseUrl, webhooks: describeMessages() });
}

/** Accounts, keys, and what belongs to the company as a whole. */
async function registerCompanyApi(server: HttpServer, { guarded, guardedReal }: Guarded): Promise<void> {
  const { config } = guarded;
  const isOperator = (email: string) => config.operatorEmails.includes(normaliseEmail(email));
  const signingIn = { ...guardedReal, isOperator, loginsPerMinute: config.rateLimitLoginPerMinute };
  registerSignInRoutes(server, signingIn);
  registerKeyRoutes(server, guardedReal);
  registerServiceKeyRoutes(server, guardedReal);
  registerMemberRoutes(server, { ...signingIn, canSendEmail: config.smtp !== null });
  registerCompanyRoutes(server, { ...guardedReal, hasKeyOfMode });
  await registerLogoRoutes(server, { ...guardedReal, hasKeyOfMode });
  registerAuditRoutes(server, guarded);
  registerRequestLogRoutes(server, guarded);
  registerOperatorRoutes(server, { ...guardedReal, isOperator });
}

/** Payments, and what follows from them. */
async function registerPaymentApi(
  server: HttpServer,
  { guarded, guardedReal }: Guarded,
  { isStopping, kindsOf }: RouteOptions,
): Promise<void> {
  const { config } = guarded;
  registerPaymentRoutes(server, { ...guarded, processPerSecond: config.rateLimitProcessPerSecond });
  await registerProcessorWebhookRoutes(server, { ...guarded, poolSize: config.databasePoolSize });
  registerConnectionRoutes(server, guarded);
  registerLinkRoutes(server, guarded);
  registerRefundRoutes(server, guarded);
  registerRefundListRoutes(server, guarded);
  registerCaseRoutes(server, guarded);
  registerFindRoutes(server, guarded);
  registerOverviewRoute(server, { ...guarded, countUnhealthyEndpoints });
  registerEventRoutes(server, { ...guarded, isStopping });
  registerLedgerRoutes(server, guarded);
  registerQrRoute(server, guarded);
  registerEndpointRoutes(server, guardedReal);
  registerDeliveryRoutes(server, guarded);
  registerMessageRoute(server, guardedReal);
  registerEmailRoutes(server, guarded);
  await registerStatementRoutes(server, guarded);
  registerLineRoutes(server, guarded);
  registerClockRoutes(server, { ...guarded, kindsOf });
  registerStateRoutes(server, { ...guarded, kindsOf });
}

/** Pages and files for browsers. */
async function registerPages(server: HttpServer, { guarded }: Guarded): Promise<void> {
  await registerCheckoutRoutes(server, { ...guarded, testCards: shownTestCards });
  registerPreviewRoute(server, { ...guarded, testCards: shownTestCards });
  registerShopRoutes(server, guarded);
  registerDashboardRoutes(server, guarded);
  await server.register(async (scope: HttpServer) => {
    useFormParser(scope);
    registerSandboxRoutes(scope, { db: guarded.db, stylesheet: assetPaths().css });
  });
}

/** Registers everything that the service answers. */
export async function registerRoutes(
  server: HttpServer,
  deps: AppDeps,
  options: RouteOptions,
): Promise<void> {
  const { isStopping, requestLog } = options;
  // No test clock moves sessions, keys, settings and signatures.
  const real = { ...deps, clock: realClockOf(deps.clock) };
  const seen = collectRoutes(server);
  await registerHooks(server, deps, { real, requestLog });
  registerDocsRoutes(server, deps);
  registerProbeRoutes(server, { db: deps.db, isStopping });
  const guarded = guard(deps, real);
  await registerCompanyApi(server, guarded);
  await registerPaymentApi(server, guarded, options);
  await registerPages(server, guarded);
  refuseOtherMethods(server, seen);
}
