// The world of a walk: processes that can die, a clock, a network, an acquirer, and the real use cases on a real
// database. The dependencies of a process are wrapped so that a task pauses where its process could die or another task
// could run. No transaction is open during a pause.

import { openKeyring } from '../../src/base/keyring.ts';
import type { Database, TenantTx, TransactionOptions } from '../../src/db/database.ts';
import type { PayDeps } from '../../src/payments/deps.ts';
import type { PaymentRequest } from '../../src/payments/schema.ts';
import { onlyProcessor } from '../acquirer/acquirer-processor.ts';
import type { ClientReport } from '../faults/oracle.ts';
import { createDueTable, type DueTable } from './due-table.ts';
import { createFakeAcquirer, type FakeAcquirer } from './fake-acquirer.ts';
import { watchLocks } from './lock-order.ts';
import { createProcessor, type InFlight } from './network.ts';
import { createScheduler, type Scheduler, type Task } from './scheduler.ts';
import type { SimulatedBug, StatementInterceptor } from './simulated-bugs.ts';
import type { SimulatedTimers } from './timers.ts';

export type SimulatedLink = { companyId: string; mode: 'test'; code: string };
export type SimulatedOrder = { companyId: string; body: PaymentRequest };

export type World = {
  db: Database;
  scheduler: Scheduler;
  dueTable: DueTable;
  acquirer: FakeAcquirer;
  inFlight: InFlight;
  companies: readonly string[];
  orders: SimulatedOrder[];
  links: SimulatedLink[];
  /** The offset of each process's clock from the world's clock. */
  skewsMs: number[];
  nowMs(): number;
  advanceMs(ms: number): Promise<void>;
  /** The dependencies of a task's use cases: those of its process. */
  depsOf(task: Pick<Task, 'processId'>): PayDeps;
  /** Ends a process with all its tasks, and starts it again. Returns how many pauses it had. */
  restart(processId: number): number;
  /** Responses to clients, without duplicates. */
  reported: Map<string, ClientReport>;
  faults: string[];
  history: string[];
};

export const processCount = 3;
// A fixed key: nothing encrypted or signed leaves the walk.
const keyring = await openKeyring(Buffer.alloc(32));
const startMs = Date.UTC(2030, 0, 1);
// The world decides which responses are too late; the product's timeout must never fire.
const neverMs = 2 ** 31 - 1;

/** Thrown in a transaction to roll it back when its process dies. Callers never see it. */
class ProcessDiedError extends Error {
  override readonly name = 'ProcessDiedError';
}

type OfProcess = { scheduler: Scheduler; plant: SimulatedBug; onFault: (fault: string) => void };

/** Each task has the interceptor of its plant, and each process has one for all its tasks. */
function createIntercept({ scheduler, plant, onFault }: OfProcess): (tx: TenantTx) => TenantTx {
  const ofTasks = new WeakMap<Task, StatementInterceptor | null>();
  const ofProcess = plant.createProcessInterceptor?.() ?? null;
  const intercepted = (tx: TenantTx, interceptor: StatementInterceptor | null): TenantTx =>
    interceptor ? { ...tx, query: async (text, values) => await interceptor(tx.query, text, values) } : tx;
  return (tx) => {
    const task = scheduler.current();
    const ofTask = ofTasks.get(task) ?? plant.createInterceptor?.() ?? null;
    ofTasks.set(task, ofTask);
    return intercepted(intercepted(watchLocks(tx, onFault), ofTask), ofProcess);
  };
}

/** The database of a process: each transaction is a pause of the task that runs it. */
function wrapDatabase(db: Database, about: OfProcess): Database {
  const { scheduler, plant } = about;
  const intercept = createIntercept(about);
  const run = async <T>(
    name: string,
    open: <R>(work: (tx: TenantTx) => Promise<R>, options: TransactionOptions) => Promise<R>,
    work: (tx: TenantTx) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> => {
    const task = scheduler.current();
    const { death } = await task.wait({ kind: 'transaction', about: name });
    const transaction = async () =>
      await open(
        async (tx) => {
          const done = await work(intercept(tx));
          if (death === 'before_commit') throw new ProcessDiedError();
          return done;
        },
        // A single statement commits by itself, and a process may die before it does.
        death ? { ...options, isSingle: false } : options,
      );
    try {
      const result = await scheduler.track(transaction);
      return death ? await task.vanish() : result;
    } catch (error) {
      if (error instanceof ProcessDiedError) return await task.vanish();
      throw plant.wrapError?.(error) ?? error;
    }
  };
  return {
    ...db,
    inTenant: async (scope, work, options) =>
      await run(scope.companyId, (inner, given) => db.inTenant(scope, inner, given), work, options),
    inCompany: async (companyId, work, options) =>
      await run(companyId, (inner, given) => db.inCompany(companyId, inner, given), work, options),
    inBothModes: async (companyId, work, options) =>
      await run(companyId, (inner, given) => db.inBothModes(companyId, inner, given), work, options),
    inSystem: async (work, options) => {
      const task = scheduler.current();
      const { death } = await task.wait({ kind: 'transaction', about: 'system' });
      if (death) return await task.vanish();
      return await scheduler.track(async () => await db.inSystem(work, options));
    },
  };
}

/** A new world. The database must contain nothing but its companies. */
export function createWorld(
  { db, companies }: Pick<World, 'db' | 'companies'>,
  plant: SimulatedBug,
  timers: SimulatedTimers,
): World {
  const faults: string[] = [];
  const history: string[] = [];
  let nowMs = startMs;
  const acquirer = createFakeAcquirer((fault) => faults.push(fault));
  const inFlight: InFlight = [];
  const skewsMs = Array.from({ length: processCount }, () => 0);
  const scheduler = createScheduler((task, error) => {
    faults.push(`${task.name} ended with an unexpected error: ${String(error)}`);
  });
  const world = {
    db,
    dueTable: createDueTable(db),
    acquirer,
    inFlight,
    companies,
    orders: [],
    links: [],
    skewsMs,
    faults,
    history,
    scheduler,
    nowMs: () => nowMs,
    advanceMs: async (ms: number) => {
      nowMs += ms;
      // Timers of the product: a batch that waits long lets others run beside it.
      timers.advanceMs(ms);
      await scheduler.settle();
    },
    reported: new Map<string, ClientReport>(),
  };
  const silent = { warn: () => undefined, info: () => undefined };
  const createDeps = (processId: number): PayDeps => {
    const onFault = (fault: string) => void faults.push(fault);
    const processor = createProcessor(scheduler.current, acquirer, inFlight);
    return {
      db: wrapDatabase(db, { scheduler, plant, onFault }),
      clock: { now: () => new Date(nowMs + (skewsMs[processId] ?? 0)) },
      keyring,
      processors: onlyProcessor(plant.wrapProcessor?.(processor) ?? processor),
      baseUrl: 'https://pay.example',
      processorTimeoutMs: neverMs,
      log: silent,
    };
  };
  // Calls with the same dependencies share batches, so all tasks of a process have the same.
  const processes = new Map<number, PayDeps>();
  return {
    ...world,
    depsOf: ({ processId }) => {
      const deps = processes.get(processId) ?? createDeps(processId);
      processes.set(processId, deps);
      return deps;
    },
    restart: (processId) => {
      processes.delete(processId);
      return scheduler.kill(processId);
    },
  };
}
