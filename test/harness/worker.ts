// A job worker in a separate process: `node worker.ts <database URL> [planted bug]`. Before each response of the
// sandbox it prints "asking" and waits for a line on standard input, then prints "recorded" or "unsettled".

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { reconcileAttempt } from '../../src/attempts/reconcile-attempt.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openKeyring } from '../../src/base/keyring.ts';
import { openDatabase } from '../../src/db/database.ts';
import { dueAttempts } from '../../src/payments/attempt-store.ts';
import type { Processor } from '../../src/processors/processor.ts';
import { createProcessors } from '../../src/processors/registry.ts';
import { createLogger } from '../../src/telemetry.ts';
import { createCalendar } from '../../src/work/calendar.ts';
import { createRowWork } from '../../src/work/row-work.ts';
import type { WorkKind } from '../../src/work/work-kind.ts';
import { openWorker } from '../../src/work/worker.ts';
import { builtInOf, onlyProcessor } from '../acquirer/acquirer-processor.ts';
import { type PlantedBug, plantInDatabase } from '../faults/planted-bugs.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);
const lines = createInterface({ input: process.stdin });
// The parent process holds the other end, so this process ends with it.
lines.on('close', () => process.exit(0));

const db = await openDatabase({
  databaseUrl: process.argv[2] ?? '',
  dataDir: 'unused',
  poolSize: 3,
  log: () => undefined,
});
const bug = process.argv[3] as PlantedBug | undefined;
if (bug) plantInDatabase(db, bug);
const log = createLogger({ level: 'silent' });
const reportOutcome = () => Promise.reject(new Error('a worker gets no reports'));
const sandbox = createProcessors({
  db,
  clock: systemClock,
  baseUrl: 'http://127.0.0.1:1',
  reportOutcome,
  apiUrls: {},
  keyring: await openKeyring(Buffer.alloc(32, 7)),
});
const inner = builtInOf(sandbox);
const processor: Processor = {
  ...inner,
  query: async (request, signal) => {
    const answer = await inner.query(request, signal);
    print('asking');
    await once(lines, 'line');
    return answer;
  },
};
const deps = {
  db,
  log,
  clock: systemClock,
  processorTimeoutMs: 60_000,
  baseUrl: 'http://127.0.0.1:1',
  keyring: await openKeyring(Buffer.alloc(32)),
  processors: onlyProcessor(processor),
};

const attempts = createRowWork(
  { ...deps, workLeaseSeconds: 3, firstPauseMs: 1_000 },
  {
    name: 'reconcile-attempt',
    rows: dueAttempts,
    limits: { perNew: 20, perLane: 20, total: 20, failingTotal: 20 },
    run: async ({ companyId, id }) => {
      try {
        await reconcileAttempt(deps, { companyId, attemptId: id });
        print('recorded');
      } catch (error) {
        print('unsettled');
        throw error;
      }
    },
  },
);
const calendar = createCalendar({ db, log }, [
  { name: 'purge-old-rows', at: { everyMinutes: 1 }, run: async () => void print('purged') },
]);
const kinds = [attempts, calendar] as WorkKind<never>[];
openWorker({ db, log, pollMs: 500 }, kinds).start();
print('ready');
