// The logger. What may be logged is a list of names; any other field is dropped before it is written,
// so that a card number, a password or an address can't reach the log by an oversight.

import { setTimeout as sleep } from 'node:timers/promises';
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import { isReportedAsOutage } from './db/outage.ts';

/** Every field name that a log line may carry. */
export const loggedFields: ReadonlySet<string> = new Set([
  'reqId',
  'traceId',
  'method',
  'route',
  'status',
  'tookMs',
  'companyId',
  'accountId',
  'paymentId',
  'attemptId',
  'refundId',
  'eventId',
  'endpointId',
  'deliveryId',
  'mailId',
  'kind',
  'tries',
  'state',
  'from',
  'to',
  'outcome',
  'declineCode',
  'processor',
  'connectionId',
  'verdict',
  'why',
  'code',
  'fields',
  'job',
  'jobId',
  'newest',
  'id',
  'count',
  'err',
  'version',
  'engine',
  'url',
  'signal',
  'migration',
  'responseTime',
]);

type SafeError = { type: string; message: string; code?: string; constraint?: string; stack?: string };

/**
 * An error as the log may show it. PostgreSQL puts row values into `detail`, `where` and, for values
 * it could not read, into the message: the first two are dropped, the quoted value is masked.
 */
export function safeError(error: unknown): SafeError | { type: string } {
  if (!(error instanceof Error)) return { type: typeof error };
  const fields = error as Error & { code?: unknown; constraint?: unknown };
  const fromDatabase = 'severity' in error;
  const mask = (text: string) => (fromDatabase ? text.replaceAll(/: ".*"/gs, ': "…"') : text);
  return {
    type: error.name,
    message: mask(error.message),
    ...(typeof fields.code === 'string' ? { code: fields.code } : {}),
    ...(typeof fields.constraint === 'string' ? { constraint: fields.constraint } : {}),
    ...(error.stack ? { stack: mask(error.stack) } : {}),
  };
}

const debugLevel = 20;

/** What an outage of the database made fail is for who looks closely: one line has told of it, for all. */
function quietOutages(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
  const [fields] = args as unknown[];
  const isReported =
    typeof fields === 'object' && fields !== null && 'err' in fields && isReportedAsOutage(fields.err);
  if (isReported && level > debugLevel) this.debug(...args);
  else method.apply(this, args);
}

/** A JSON logger at a level (`silent` switches it off); `destination` defaults to standard output. */
export function createLogger(options: { level: string; destination?: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: safeError },
      hooks: { logMethod: quietOutages },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) =>
          Object.fromEntries(Object.entries(fields).filter(([name]) => loggedFields.has(name))),
      },
    },
    // A length of 0 would leave flushLog nothing to wait for.
    options.destination ?? pino.destination({ fd: 1, sync: false, minLength: 1 }),
  );
}

const flushWithinMs = 2_000;

/** Resolves when all that was logged is written; after 2 s in any case, as nobody may be reading any more. */
export async function flushLog(log: Logger): Promise<void> {
  const written = new Promise<void>((resolve) => log.flush(() => resolve()));
  await Promise.race([written, sleep(flushWithinMs)]);
}
