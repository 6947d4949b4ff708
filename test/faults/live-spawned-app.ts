// The service as a process to kill, with the live adapters and their fakes: `node live-spawned-app.ts`, with Paylink's
// settings, and optionally CRASH_AT, CRASH_COUNT, PLANTED_BUG and ASK_TIMEOUT_MS. Prints its port as JSON once it listens.

import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { ProcessorKind } from '../../src/processors/processor.ts';
import { createProcessors, listProcessors } from '../../src/processors/registry.ts';
import { createLogger } from '../../src/telemetry.ts';
import { armDatabase, armProcessor, type CrashPoint, crashTogether } from './crash-points.ts';
import { type PlantedBug, plantInProcessor } from './planted-bugs.ts';

const { CRASH_AT, CRASH_COUNT = '1', PLANTED_BUG, ASK_TIMEOUT_MS } = process.env;
const point = CRASH_AT as CrashPoint | undefined;
const bug = PLANTED_BUG as PlantedBug | undefined;
const config = readConfig(process.env);
// Until its crash point, and with a bug, it needs every response except those that a test withholds, on a busy machine
// too.
const processorTimeoutMs = Number(ASK_TIMEOUT_MS ?? (bug || point ? 10_000 : 2_000));
const crash = crashTogether(Number(CRASH_COUNT));

/** A processor kind with the planted bug and the crash point, for every connection. */
function plantIn(kind: ProcessorKind): ProcessorKind {
  return {
    ...kind,
    connect: (connection) => {
      const processor = kind.connect(connection);
      const flawed = bug ? plantInProcessor(processor, bug, (processorTimeoutMs * 3) / 4) : processor;
      return point ? armProcessor(flawed, point, crash) : flawed;
    },
  };
}

const app = await createApp({
  config,
  log: createLogger({ level: config.logLevel, destination: process.stderr }),
  processorTimeoutMs,
  firstReconcileSeconds: processorTimeoutMs / 1_000,
  leaseSeconds: 1,
  webhookTimings: { timeoutMs: 1_000, leaseSeconds: 2 },
  workTimings: { pollMs: 500, workLeaseSeconds: 3, firstPauseMs: 1_000 },
  processors: (deps) => {
    const { builtIn, kinds } = createProcessors(deps);
    return listProcessors(builtIn, kinds.filter((kind) => kind !== builtIn).map(plantIn));
  },
});
if (point) armDatabase(app.deps.db, point, crash);
await app.listen();

process.stdout.write(`${JSON.stringify({ port: config.port })}\n`);
// Exits with the process that started it.
process.stdin.on('end', () => process.exit(0)).resume();
