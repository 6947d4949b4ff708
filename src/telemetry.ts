// The logger. It writes only a fixed list of fields and drops all others, so that a card number, a password
// or an address cannot reach the log by mistake.

import { setTimeout as sleep } from 'node:timers/promises';
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import { activeSpan, loggersWithSpan } from './base/spans.ts';
import { isReportedAsOutage } from './db/outage.ts';

/** Every field name that a log line may carry. */
export const loggedFields: ReadonlySet<string> = new Set([
  'reqId',
  'traceId',
  'spanId',
  'method',
  'route',
  'status',
  'tookMs',
  'cell',
  'companyId',
  'isReplay',
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
  'lane',
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
 * An error in a form that may be logged. PostgreSQL puts row values into `detail`, `where` and, for invalid
 * values, into the message: the first two are dropped, the quoted value is masked.
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

/** Adds the IDs of the active span. The logger of a request has them itself. */
function addSpan(logger: Logger, args: Parameters<LogFn>): Parameters<LogFn> {
  const span = activeSpan();
  if (span === null || loggersWithSpan.has(logger)) return args;
  const ids = { traceId: span.traceId, spanId: span.spanId };
  const [first, ...rest] = args as unknown[];
  const added =
    typeof first === 'object'
      ? [{ ...(first instanceof Error ? { err: first } : first), ...ids }, ...rest]
      : [ids, ...args];
  return added as unknown as Parameters<LogFn>;
}

/**
 * Logs errors of a database outage at debug level: one line has reported the outage for all. Adds the IDs of the active
 * span.
 */
function logLine(this: Logger, given: Parameters<LogFn>, method: LogFn, level: number): void {
  const args = addSpan(this, given);
  const [fields] = args as unknown[];
  const isReported =
    typeof fields === 'object' && fields !== null && 'err' in fields && isReportedAsOutage(fields.err);
  if (isReported && level > debugLevel) this.debug(...given);
  else method.apply(this, args);
}

/** A JSON logger at a level (`silent` disables it); `destination` defaults to standard output. */
export function createLogger(options: { level: string; destination?: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: safeError },
      hooks: { logMethod: logLine },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) =>
          Object.fromEntries(Object.entries(fields).filter(([name]) => loggedFields.has(name))),
      },
    },
    // With a length of 0, flushLog would have nothing to wait for.
    options.destination ?? pino.destination({ fd: 1, sync: false, minLength: 1 }),
  );
}

const flushWithinMs = 2_000;

/** Resolves when all log lines are written, or after 2 s: the reader may be gone. */
export async function flushLog(log: Logger): Promise<void> {
  const written = new Promise<void>((resolve) => log.flush(() => resolve()));
  await Promise.race([written, sleep(flushWithinMs)]);
}
