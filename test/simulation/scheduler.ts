// Pauses tasks before each transaction, each request to the acquirer and each response. A step resumes one pause and runs
// until every task pauses again or has ended, so that the order of resumptions is the interleaving. Tasks of one process
// share batches: a resumed batch continues the calls of several tasks. It never resumes a pause by itself.

import { AsyncLocalStorage } from 'node:async_hooks';

/** Where a task waits, and for what. */
export type PausePoint = { kind: 'transaction' | 'request' | 'answer'; about: string };

/** How a task continues. `fate` selects what the network does (0: no fault). `death` ends its process at this point. */
export type ResumeDecision = { fate: number; death?: 'before_commit' | 'after_commit' };

export type Task = {
  name: string;
  processId: number;
  /** Pauses the task until it is resumed. */
  wait(point: PausePoint): Promise<ResumeDecision>;
  /** Ends the task because its process has died. Never resolves. */
  vanish(): Promise<never>;
};

/** A task has more than one pause at a time if it runs batches of several keys. */
export type Pause = { task: Task; point: PausePoint };
type OpenPause = Pause & { order: number; resume: (decision: ResumeDecision) => void };

export type Scheduler = {
  /** Starts work, and runs until everything pauses. Work must catch expected errors. */
  start(name: string, processId: number, work: (task: Task) => Promise<void>): Promise<void>;
  /** The task whose work is running. In a batch, the last one of its callers. */
  current(): Task;
  /** Runs work on the database. Nothing counts as paused meanwhile. */
  track<T>(work: () => Promise<T>): Promise<T>;
  /** The pauses of all tasks, in the order in which the tasks began. */
  paused(): readonly Pause[];
  /** Resumes a pause, and runs until everything pauses. */
  resume(pause: Pause, decision: ResumeDecision): Promise<void>;
  /** Runs until everything pauses. */
  settle(): Promise<void>;
  /** Ends all tasks of a process. Returns how many pauses it had. */
  kill(processId: number): number;
};

/** A batch begins in the turn after its first call, and the calls that it answers pause in the turns after that. */
const quietTurns = 3;

/** `onError` receives unexpected errors of tasks. */
export function createScheduler(onError: (task: Task, error: unknown) => void): Scheduler {
  const tasks = new AsyncLocalStorage<Task>();
  const dead = new Set<Task>();
  const alive = new Set<Task>();
  let waiting: OpenPause[] = [];
  let begun = 0;
  let underWay = 0;
  const never = async () => await new Promise<never>(() => undefined);
  const settle = async () => {
    for (let quiet = 0; quiet < quietTurns; quiet = underWay > 0 ? 0 : quiet + 1)
      await new Promise<void>((resolve) => setImmediate(resolve));
  };
  const createTask = (name: string, processId: number): Task => {
    const order = ++begun;
    const task: Task = {
      name,
      processId,
      wait: async (point) => {
        if (dead.has(task)) return await never();
        return await new Promise<ResumeDecision>((resume) => waiting.push({ task, point, order, resume }));
      },
      vanish: never,
    };
    alive.add(task);
    return task;
  };
  return {
    start: async (name, processId, work) => {
      const task = createTask(name, processId);
      tasks
        .run(task, async () => await work(task))
        .catch((error: unknown) => onError(task, error))
        .finally(() => alive.delete(task));
      await settle();
    },
    current: () => {
      const task = tasks.getStore();
      if (!task) throw new Error('no task is running');
      return task;
    },
    track: async (work) => {
      underWay += 1;
      try {
        return await work();
      } finally {
        underWay -= 1;
      }
    },
    // The order of arrival may depend on how many turns a statement takes.
    paused: () => waiting.toSorted((a, b) => a.order - b.order),
    resume: async (pause, decision) => {
      const found = waiting.find((candidate) => candidate === pause);
      if (!found) throw new Error('only a paused task can be resumed');
      waiting = waiting.filter((candidate) => candidate !== found);
      found.resume(decision);
      await settle();
    },
    settle,
    kill: (processId) => {
      for (const task of [...alive].filter((each) => each.processId === processId)) {
        alive.delete(task);
        dead.add(task);
      }
      const before = waiting.length;
      waiting = waiting.filter(({ task }) => task.processId !== processId);
      return before - waiting.length;
    },
  };
}
