// Pauses tasks before each transaction, each request to the acquirer and each response. One task runs at a time, from
// one pause to the next, so that the order of resumptions is the interleaving. It never resumes a task by itself.

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

type SuspendedTask = {
  task: Task;
  point: PausePoint;
  resume: (verdict: ResumeDecision) => void;
  rests: () => Suspension;
};
type Suspension = { promise: Promise<void>; arrive: () => void };

export type Scheduler = {
  /** Runs work until its first pause or its end. Work must catch expected errors. */
  start(name: string, processId: number, work: (task: Task) => Promise<void>): Promise<void>;
  /** The paused tasks, longest pause first. */
  resting(): readonly { task: Task; point: PausePoint }[];
  /** Resumes a paused task until its next pause or its end. */
  resume(task: Task, verdict: ResumeDecision): Promise<void>;
  /** Removes all tasks of a process. Returns their number. */
  kill(processId: number): number;
};

/** `onError` receives unexpected errors of tasks. */
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
