// Owns every moment at which a use case waits: before a transaction, before a request to the acquirer, and
// before its answer. One task runs at a time, from one such moment to the next, so that the order in which
// the world resumes them is the whole of the interleaving. It must never resume a task by itself.

/** Where a task waits, and for what. */
export type PausePoint = { kind: 'transaction' | 'request' | 'answer'; about: string };

/**
 * How a task goes on. `fate` is what the network does, 0 being nothing bad; a death ends its process at
 * this very moment, in a transaction on the one or the other side of the commit.
 */
export type ResumeDecision = { fate: number; death?: 'before_commit' | 'after_commit' };

export type Task = {
  name: string;
  processId: number;
  /** Rests until the world resumes the task. */
  wait(point: PausePoint): Promise<ResumeDecision>;
  /** The task's process has died: its caller never hears of it again. */
  vanish(): Promise<never>;
};

type SuspendedTask = {
  task: Task;
  point: PausePoint;
  resume: (verdict: ResumeDecision) => void;
  rests: () => Suspension;
};
type Suspension = { promise: Promise<void>; arrive: () => void };

export type Scheduler = {
  /** Runs work until it rests for the first time, or has ended. Work must catch what it expects to be thrown. */
  start(name: string, processId: number, work: (task: Task) => Promise<void>): Promise<void>;
  /** Every resting task, the one that rests longest first. */
  resting(): readonly { task: Task; point: PausePoint }[];
  /** Resumes a resting task until it rests again, or has ended. */
  resume(task: Task, verdict: ResumeDecision): Promise<void>;
  /** Forgets every task of a process, wherever it rests. Returns how many. */
  kill(processId: number): number;
};

/** `onError` gets what a task threw and nobody expected. */
export function createScheduler(onError: (task: Task, error: unknown) => void): Scheduler {
  let waiting: SuspendedTask[] = [];
  const createSuspension = (): Suspension => {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { promise, arrive: resolve };
  };
  return {
    start: async (name, processId, work) => {
      let rest = createSuspension();
      const rests = () => {
        rest = createSuspension();
        return rest;
      };
      const task: Task = {
        name,
        processId,
        wait: async (point) =>
          await new Promise<ResumeDecision>((resume) => {
            waiting.push({ task, point, resume, rests });
            rest.arrive();
          }),
        vanish: async () => {
          rest.arrive();
          return await new Promise<never>(() => undefined);
        },
      };
      const first = rest.promise;
      work(task)
        .catch((error: unknown) => onError(task, error))
        .finally(() => rest.arrive());
      await first;
    },
    resting: () => waiting,
    resume: async (task, verdict) => {
      const found = waiting.find((candidate) => candidate.task === task);
      if (!found) throw new Error('a task that does not rest cannot be resumed');
      waiting = waiting.filter((candidate) => candidate !== found);
      const { promise } = found.rests();
      found.resume(verdict);
      await promise;
    },
    kill: (processId) => {
      const before = waiting.length;
      waiting = waiting.filter(({ task }) => task.processId !== processId);
      return before - waiting.length;
    },
  };
}
