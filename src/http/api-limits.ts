// The limits on calls with credentials, and on failed authentications. Must not: refuse valid credentials because of
// invalid ones, or a stranger behind the same proxy could lock a merchant out.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, errors } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import type { Principal } from './authentication.ts';
import { clientKeyOf } from './client-network.ts';
import type { HttpServer } from './http-server.ts';
import { enforceLimit, enforceLimits, type RateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's own limit for each company, beside the general one. */
    companyLimit?: RateLimit;
  }
  interface FastifyInstance {
    /** Counts a failed authentication. Returns the error to send, which may be `rate_limited`. */
    countFailedAuthentication(
      refusal: ApiError,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<ApiError>;
  }
}

export type ApiLimitDeps = {
  db: Database;
  callsPerSecond: number;
  refusalsPerMinute: number;
};

const rememberedClients = 10_000;

/** Refuses a flood of invalid credentials without a query. A copy of the database's result, which may be lost. */
function createMemory() {
  const untilMs = new Map<string, number>();
  return {
    waitSeconds: (client: string) => Math.ceil(((untilMs.get(client) ?? 0) - performance.now()) / 1000),
    note: (client: string, waitSeconds: number) => {
      if (untilMs.size >= rememberedClients) untilMs.clear();
      untilMs.set(client, performance.now() + waitSeconds * 1000);
    },
  };
}

function failedAuthenticationCounter(db: Database, limit: RateLimit) {
  const memory = createMemory();
  return async (refusal: ApiError, request: FastifyRequest, reply: FastifyReply): Promise<ApiError> => {
    if (limit.quota === 0) return refusal;
    const who = clientKeyOf(request);
    const waitSeconds = memory.waitSeconds(who);
    if (waitSeconds > 0) return tooMany(limit, waitSeconds);
    try {
      await enforceLimit(db, { limit, who, reply });
      return refusal;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const retryAfter = Number(error.headers['retry-after']);
      memory.note(who, retryAfter);
      return tooMany(limit, retryAfter);
    }
  };
}

function tooMany(limit: RateLimit, waitSeconds: number): ApiError {
  return errors.rateLimited({
    detail: `Too many calls with invalid credentials came from your address. Wait ${waitSeconds} s, then try again.`,
    headers: { 'retry-after': String(waitSeconds) },
    limit: limit.name,
  });
}

/** A key has its own quota. A person has one across all browsers. */
function quotaOwnerOf(principal: Principal): string {
  return 'serviceKeyId' in principal ? principal.serviceKeyId : (principal.keyId ?? principal.accountId);
}

/** Limits every call with credentials, in one statement for all limits. Call it before registering routes. */
export function useApiLimits(app: HttpServer, deps: ApiLimitDeps): void {
  const general = { name: 'api', quota: deps.callsPerSecond, windowSeconds: 1 };
  const refusals = { name: 'refusals', quota: deps.refusalsPerMinute, windowSeconds: 60 };
  app.decorate('countFailedAuthentication', failedAuthenticationCounter(deps.db, refusals));
  // After the checks of credentials and right, before the body is read.
  app.addHook('preParsing', async (request, reply) => {
    const { principal } = request;
    if (!principal) return;
    const { companyLimit } = request.routeOptions.config;
    const checks = [{ limit: general, who: quotaOwnerOf(principal) }];
    if (companyLimit) checks.push({ limit: companyLimit, who: principal.companyId });
    await enforceLimits(deps.db, checks, reply);
  });
}
