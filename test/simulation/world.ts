// The world of a walk: processes that can die, a clock, a network, an acquirer, and the real use cases on a real
// database. It creates each task's dependencies, wrapped so that the task pauses where its process could die or another
// task could run. No transaction is open during a pause.

import { openKeyring } from '../../src/base/keyring.ts';
import type { Database, TenantTx } from '../../src/db/database.ts';
import type { PayDeps } from '../../src/payments/deps.ts';
import type { PaymentRequest } from '../../src/payments/schema.ts';
import { onlyProcessor } from '../acquirer/acquirer-processor.ts';
import type { ClientReport } from '../faults/oracle.ts';
import { createDueTable, type DueTable } from './due-table.ts';
import { createFakeAcquirer, type FakeAcquirer } from './fake-acquirer.ts';
import { createProcessor, type InFlight } from './network.ts';
import { createScheduler, type Scheduler, type Task } from './scheduler.ts';
import type { SimulatedBug } from './simulated-bugs.ts';

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
  advanceMs(ms: number): void;
  /** The dependencies of one task's use cases. */
  depsOf(task: Task): PayDeps;
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

function wrapDatabase(world: Pick<World, 'db'>, task: Task, plant: SimulatedBug): Database {
  const { db } = world;
  const interceptor = plant.createInterceptor?.() ?? null;
  const intercept = (tx: TenantTx): TenantTx =>
    interceptor ? { ...tx, query: async (text, values) => await interceptor(tx.query, text, values) } : tx;
  const run = async <T>(
    about: string,
    open: <R>(work: (tx: TenantTx) => Promise<R>) => Promise<R>,
    work: (tx: TenantTx) => Promise<T>,
  ): Promise<T> => {
    const { death } = await task.wait({ kind: 'transaction', about });
    try {
      const result = await open(async (tx) => {
        const done = await work(intercept(tx));
        if (death === 'before_commit') throw new ProcessDiedError();
        return done;
      });
      return death ? await task.vanish() : result;
    } catch (error) {
      if (error instanceof ProcessDiedError) return await task.vanish();
      throw error;
    }
  };
  return {
    ...db,
    inTenant: async (scope, work) => await run(scope.companyId, (inner) => db.inTenant(scope, inner), work),
    inCompany: async (companyId, work) =>
      await run(companyId, (inner) => db.inCompany(companyId, inner), work),
    inBothModes: async (companyId, work) =>
      await run(companyId, (inner) => db.inBothModes(companyId, inner), work),
    inSystem: async (work) => {
      const { death } = await task.wait({ kind: 'transaction', about: 'system' });
      return death ? await task.vanish() : await db.inSystem(work);
    },
  };
}

/** A new world. The database must contain nothing but its companies. */
export function createWorld({ db, companies }: Pick<World, 'db' | 'companies'>, plant: SimulatedBug): World {
  const faults: string[] = [];
  const history: string[] = [];
  let nowMs = startMs;
  const acquirer = createFakeAcquirer((fault) => faults.push(fault));
  const inFlight: InFlight = [];
  const skewsMs = Array.from({ length: processCount }, () => 0);
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
    scheduler: createScheduler((task, error) => {
      faults.push(`${task.name} ended with an unexpected error: ${String(error)}`);
    }),
    nowMs: () => nowMs,
    advanceMs: (ms: number) => {
      nowMs += ms;
    },
    reported: new Map<string, ClientReport>(),
  };
  const silent = { warn: () => undefined, info: () => undefined };
  const depsOf = (task: Task): PayDeps => {
    const processor = createProcessor(task, acquirer, inFlight);
    return {
      db: wrapDatabase(world, task, plant),
      clock: { now: () => new Date(nowMs + (skewsMs[task.processId] ?? 0)) },
      keyring,
      processors: onlyProcessor(plant.wrapProcessor?.(processor) ?? processor),
      baseUrl: 'https://pay.example',
      processorTimeoutMs: neverMs,
      log: silent,
    };
  };
  return { ...world, depsOf };
}
