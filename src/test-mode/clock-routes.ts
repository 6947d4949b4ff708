// The routes of the test clock.

import { type Static, Type } from 'typebox';
import { createCompanyClock, realTimeOf, runInTestTime, testTimeOf } from '../base/clock.ts';
import { principalOf, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { deriveRequestId } from '../http/idempotency.ts';
import { responses } from '../http/openapi.ts';
import { moment, oneOf } from '../http/schema-parts.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import { advanceClock, type ClockDeps, type Done, maxAheadDays, readClock } from './advance-clock.ts';
import type { TestClock } from './clock-store.ts';
import { parseDuration } from './parse-duration.ts';
import { requireTestMode } from './require-test-mode.ts';

export type ClockRouteDeps = ClockDeps & { verifyCredentials: VerifyCredentials };

const count = (description: string) => Type.Integer({ minimum: 0, description });

const clockFields = {
  at: moment('The time of the company in test mode'),
  aheadSeconds: Type.Integer({ minimum: 0, description: 'How far it is ahead of the real time' }),
  status: oneOf(['idle', 'advancing'], 'Whether an advance is under way'),
};
const exampleClock = { at: '2026-11-23T12:54:58.330Z', aheadSeconds: 259_200, status: 'idle' };

export const TestClockResponse = Type.Object(clockFields, { title: 'TestClock', examples: [exampleClock] });

export const AdvanceRequest = Type.Object(
  {
    by: Type.String({
      minLength: 1,
      maxLength: 40,
      description: `How far to move, as a duration of ISO 8601 in weeks, days, hours, minutes and seconds. A clock can be ${maxAheadDays} days ahead at most`,
      examples: ['P3D'],
    }),
  },
  { title: 'TestClockAdvance', additionalProperties: false, examples: [{ by: 'P3D' }] },
);

export const AdvanceResponse = Type.Object(
  {
    ...clockFields,
    isComplete: Type.Boolean({
      description:
        'Whether everything that was due has been done. If not, the service does the rest in the next seconds',
    }),
    done: Type.Object(
      {
        expired: count('Links that have expired'),
        reminders: count('Reminders that were queued'),
        attempts: count('Queries about attempts without an outcome'),
        refunds: count('Queries about refunds without an outcome'),
        bankLines: count('Bookings and bank transfers that were worked on'),
        webhooks: count('Webhooks that were sent, whatever their result'),
        emails: count('Emails that were sent, whatever their result'),
        idempotencyKeys: count('Idempotency keys that have ended'),
      },
      { title: 'TestClockWork', description: 'What this call did' },
    ),
  },
  {
    title: 'AdvancedTestClock',
    examples: [
      {
        ...exampleClock,
        isComplete: true,
        done: {
          ...{ expired: 1, reminders: 1, attempts: 0, refunds: 0, bankLines: 0 },
          ...{ webhooks: 2, emails: 1, idempotencyKeys: 3 },
        },
      },
    ],
  },
);

function presentClock(
  { clock }: Pick<ClockDeps, 'clock'>,
  { companyId }: { companyId: string },
  { offsetMs, targetMs }: TestClock,
): Static<typeof TestClockResponse> {
  const { now } = createCompanyClock({ now: () => realTimeOf(clock) });
  const time = testTimeOf({ companyId, mode: 'test' }, offsetMs);
  return {
    at: runInTestTime(time, now).toISOString(),
    aheadSeconds: Math.floor(offsetMs / 1_000),
    status: offsetMs < targetMs ? 'advancing' : 'idle',
  };
}

function presentDone(done: Done): Static<typeof AdvanceResponse>['done'] {
  const of = (...names: string[]) => names.reduce((sum, name) => sum + (done[name] ?? 0), 0);
  return {
    expired: of('expired'),
    reminders: of('reminders'),
    attempts: of('reconcile-attempt'),
    refunds: of('reconcile-refund'),
    bankLines: of('match-bank-line', 'settle-transfer'),
    webhooks: of('webhooks'),
    emails: of('emails'),
    idempotencyKeys: of('idempotencyKeys'),
  };
}

/** An advance works for seconds, so a company gets few at once. */
const perCompany = { name: 'test_clock', quota: 60, windowSeconds: 60 };

const secured = describeSecuredRoutes('test-mode');

export function registerClockRoutes(app: HttpServer, deps: ClockRouteDeps): void {
  const get = secured(deps, 'payments:read', {
    operationId: 'getTestClock',
    summary: 'Retrieve the test clock',
    description: 'The time of your company in test mode. Live mode is always in real time.',
    response: responses(TestClockResponse, ['testModeOnly']),
  });
  app.get('/v1/test/clock', { ...get, onRequest: [...get.onRequest, requireTestMode] }, async (request) => {
    const caller = principalOf(request);
    return presentClock(deps, caller, await readClock(deps, caller));
  });

  const advance = secured(deps, 'payments:create', {
    operationId: 'advanceTestClock',
    summary: 'Move the test clock forward',
    description:
      'Links expire, reminders are sent, webhooks are retried, and idempotency keys end, as they would have in that time. It takes 15 seconds at most. Send an Idempotency-Key, so that you can safely repeat the request.',
    body: AdvanceRequest,
    response: responses(AdvanceResponse, ['testModeOnly', 'invalidFields']),
  });
  app.post(
    '/v1/test/clock/advance',
    {
      ...advance,
      config: { hasNoTimeBudget: true, companyLimit: perCompany },
      onRequest: [...advance.onRequest, requireTestMode],
    },
    async (request) => {
      const caller = principalOf(request);
      const byMs = parseDuration(request.body.by, 'by');
      const eventId = deriveRequestId(request, 'evt', deps.clock);
      const { clock, done, isComplete } = await advanceClock(deps, caller, { byMs, eventId });
      return { ...presentClock(deps, caller, clock), isComplete, done: presentDone(done) };
    },
  );
}
