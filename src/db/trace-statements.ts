// The spans of statements: one for each, named by what it does to which table. Must not: put a value or the text of a
// statement into a span.

import { type Span, type SpanStart, startChildSpan } from '../base/spans.ts';

/** More than the code has statements. */
const mostTexts = 1_000;

const keyword = /^\s*(\w+)/;
/** The table that a statement writes, also inside a `with`. In `for update of` and `do update set` no table follows. */
const written =
  /\b(insert)\s+into\s+([a-z_]+)|(?<!\b(?:for|key|do)\s)\b(update)\s+([a-z_]+)|\b(delete)\s+from\s+([a-z_]+)/i;
/** The first table that it reads. A function is no table. */
const read = /\bfrom\s+(?:only\s+)?([a-z_]+)\b(?!\s*\()/i;

const reads = new Set(['SELECT', 'WITH']);

/** What a statement does, and to which table: `INSERT` and `payments`. */
function summarize(text: string): { operation: string; table: string | null } {
  const first = (keyword.exec(text)?.[1] ?? 'OTHER').toUpperCase();
  if (!reads.has(first) && !/^(INSERT|UPDATE|DELETE)$/.test(first)) return { operation: first, table: null };
  const [, ...parts] = written.exec(text) ?? [];
  const [operation, table] = parts.filter((part) => part !== undefined);
  if (operation !== undefined && table !== undefined) return { operation: operation.toUpperCase(), table };
  return { operation: 'SELECT', table: read.exec(text)?.[1] ?? null };
}

/** Describes a statement in the names of OpenTelemetry's conventions for databases. */
export function describeStatement(text: string): SpanStart {
  const { operation, table } = summarize(text);
  const name = table === null ? operation : `${operation} ${table}`;
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.summary': name,
  };
  return { name, kind: 'client', attributes };
}

const known = new Map<string, SpanStart>();
const begin = describeStatement('begin');

/** Starts the span of a statement; null without an active span. */
export function traceStatement(text: string): Span | null {
  return startChildSpan(() => {
    // The text that opens a transaction differs by company.
    if (text.startsWith('begin')) return begin;
    const found = known.get(text);
    if (found) return found;
    const described = describeStatement(text);
    if (known.size < mostTexts) known.set(text, described);
    return described;
  });
}

/** Shorter waits for a connection get no span. */
const leastWaitMs = 1;

/** Adds a span for a wait for a connection that began at `sinceMs`. */
export function traceWait(sinceMs: number): void {
  if (performance.now() - sinceMs < leastWaitMs) return;
  startChildSpan(() => ({
    name: 'wait for a database connection',
    kind: 'internal',
    startedAtMs: sinceMs,
  }))?.end();
}
