// Reports failures of the export, one line a minute at most. Must not: let a failure reach the caller, or log what the
// collector answered.

/** The parts of an exporter of OpenTelemetry that are used here. */
export type Exporter<Items> = {
  export(items: Items, done: (result: { code: number; error?: Error }) => void): void;
};

export type WarnOfExport = (what: string, error: Error | undefined) => void;

const succeeded = 0;
const quietMs = 60_000;

function describeReason(error: Error | undefined): string {
  const code = error && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `it answered with status ${code}`;
  if (typeof code === 'string' && code !== '') return `the connection failed (${code})`;
  if (/timed out/i.test(error?.message ?? '')) return 'it did not answer in time';
  if (/retryable/i.test(error?.message ?? '')) return 'it answered that it takes nothing now';
  return 'too much waits to be sent';
}

/** Writes a warning about a collector, once a minute at most. */
export function createExportWarning(
  log: { warn(message: string): void },
  host: string,
  now: () => number = () => performance.now(),
): WarnOfExport {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return (what, error) => {
    if (now() < quietUntil) return;
    quietUntil = now() + quietMs;
    log.warn(
      `The OpenTelemetry collector at ${host} took no ${what}: ${describeReason(error)}. ` +
        'Payments go on; check the collector and OTEL_EXPORTER_OTLP_ENDPOINT.',
    );
  };
}

/** Makes an exporter report its failures to `warn`. The SDK would pass them to a handler of the whole process. */
export function watchExporter<Items, E extends Exporter<Items>>(
  exporter: E,
  what: string,
  warn: WarnOfExport,
): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, ({ code, error }) => {
      if (code !== succeeded) warn(what, error);
      done({ code: succeeded });
    });
  return exporter;
}
