// Spans: how long a request or a run of due work took, and what it waited for. The active span follows its work through
// AsyncLocalStorage. Without traces there never is one, and every function here returns at once. Must not: import
// OpenTelemetry, which src/tracing/ loads if it is set up; give a span a value that somebody entered, or a secret.

import { AsyncLocalStorage } from 'node:async_hooks';

export type SpanAttributes = Readonly<Record<string, string | number>>;

export type SpanStart = {
  /** One of few texts, so that spans can be counted by their names. */
  name: string;
  /** What it is: a request that is answered, a call to another system, or work of this process. */
  kind: 'server' | 'client' | 'internal';
  attributes?: SpanAttributes;
  /** Spans that it has to do with and that it is not a part of. */
  links?: readonly Span[];
  /** When it began, by `performance.now()`; unset: now. */
  startedAtMs?: number;
};

export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether it is exported. The sampler decides so for a whole trace. */
  readonly isRecorded: boolean;
  startChild(start: SpanStart): Span;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. The type is one of few texts, such as an error code. */
  fail(type: string): void;
  end(): void;
};

/** The span of a caller in another process. */
export type RemoteSpan = { traceId: string; spanId: string; isSampled: boolean };

const current = new AsyncLocalStorage<Span | null>();
let isUsed = false;

/** Runs work, and everything that it calls or leaves running, as part of a span; null: of none. */
export function runInSpan<T>(span: Span | null, work: () => T): T {
  if (span === null && !isUsed) return work();
  isUsed = true;
  return current.run(span, work);
}

/** The span that the caller is part of. */
export function activeSpan(): Span | null {
  return isUsed ? (current.getStore() ?? null) : null;
}

/** Starts a part of the active span; null if there is none, or if it is not recorded. */
export function startChildSpan(describe: () => SpanStart): Span | null {
  const parent = activeSpan();
  return parent?.isRecorded ? parent.startChild(describe()) : null;
}

const errorCode = /^[A-Z0-9_]{1,40}$/;

/** What kind of error it is, in a text that may be exported: its code or its class, never its message. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && errorCode.test(code) ? code : error.name;
}

/** Makes a call to another system as a part of the active span. */
export async function traceCall<T>(
  describe: () => SpanStart,
  call: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = startChildSpan(describe);
  if (span === null) return await call(null);
  try {
    return await runInSpan(span, () => call(span));
  } catch (error) {
    span.fail(faultOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/**
 * Runs work that several callers share. It becomes a part of the first recorded caller, since a span has one parent, with
 * links to the others. Each of these gets a part for its wait, with a link to the work.
 */
export async function runForCallers<T>(
  callers: readonly (Span | null)[],
  work: () => Promise<T>,
): Promise<T> {
  // The work of a single caller is simply a part of it.
  if (!isUsed || callers.length < 2) return await work();
  const [first, ...others] = callers.filter((caller) => caller?.isRecorded === true) as Span[];
  if (first === undefined) return await runInSpan(null, work);
  const attributes = { 'paylink.batch.size': callers.length };
  const shared = first.startChild({ name: 'batch', kind: 'internal', attributes, links: others });
  const waits = others.map((other) =>
    other.startChild({ name: 'wait for batch', kind: 'internal', links: [shared] }),
  );
  try {
    return await runInSpan(shared, work);
  } catch (error) {
    for (const span of [shared, ...waits]) span.fail(faultOf(error));
    throw error;
  } finally {
    for (const span of [shared, ...waits]) span.end();
  }
}

/** Loggers whose lines have the IDs of a span already. */
export const loggersWithSpan = new WeakSet<object>();

/** Metrics that go to the collector. */
export type TraceMetrics = {
  /** A request was answered, in seconds. */
  requestTook(seconds: number, attributes: SpanAttributes): void;
  /** A run of due work ended, in seconds. */
  runTook(seconds: number, attributes: SpanAttributes): void;
};

/** Where the traces and metrics of a process go. */
export type Tracing = {
  /** Starts a span that is part of no other of this process. Null: traces are off. */
  startTrace: ((start: SpanStart, parent: RemoteSpan | null) => Span) | null;
  /** Null: metrics are off. */
  metrics: TraceMetrics | null;
  /** Sends what is left, for 2 s at most. */
  close(): Promise<void>;
};

export const noTracing: Tracing = { startTrace: null, metrics: null, close: async () => undefined };
