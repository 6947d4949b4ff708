// The workers of all databases as one: a worker for each, also for a cell that is opened later.

import type { Database } from '../db/database.ts';
import type { Worker } from './worker.ts';

/** `open` opens the worker of one database. */
export function openWorkers(db: Pick<Database, 'onCellOpen'>, open: (cell: Database) => Worker): Worker {
  const workers: Worker[] = [];
  let isStarted = false;
  let isStopped = false;
  db.onCellOpen((cell) => {
    if (isStopped) return;
    const worker = open(cell);
    workers.push(worker);
    if (isStarted) worker.start();
  });
  return {
    start: () => {
      isStarted = true;
      for (const worker of workers) worker.start();
    },
    sweep: async (kind) => {
      await Promise.all(workers.map(async (worker) => await worker.sweep(kind)));
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(workers.map(async (worker) => await worker.stop()));
    },
  };
}
