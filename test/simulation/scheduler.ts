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
  resume: (decision: ResumeDecision) => void;
  nextPause: () => Pause;
};
type Pause = { promise: Promise<void>; arrive: () => void };

export type Scheduler = {
  /** Runs work until its first pause or its end. Work must catch expected errors. */
  start(name: string, processId: number, work: (task: Task) => Promise<void>): Promise<void>;
  /** The paused tasks, longest pause first. */
  paused(): readonly { task: Task; point: PausePoint }[];
  /** Resumes a paused task until its next pause or its end. */
  resume(task: Task, decision: ResumeDecision): Promise<void>;
  /** Removes all tasks of a process. Returns their number. */
  kill(processId: number): number;
};

/** `onError` receives unexpected errors of tasks. */
export function createScheduler(onError: (task: Task, error: unknown) => void): Scheduler {
  let waiting: SuspendedTask[] = [];
  const createPause = (): Pause => {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { promise, arrive: resolve };
  };
  return {
    start: async (name, processId, work) => {
      let pause = createPause();
      const nextPause = () => {
        pause = createPause();
        return pause;
      };
      const task: Task = {
        name,
        processId,
        wait: async (point) =>
          await new Promise<ResumeDecision>((resume) => {
            waiting.push({ task, point, resume, nextPause });
            pause.arrive();
          }),
        vanish: async () => {
          pause.arrive();
          return await new Promise<never>(() => undefined);
        },
      };
      const first = pause.promise;
      work(task)
        .catch((error: unknown) => onError(task, error))
        .finally(() => pause.arrive());
      await first;
    },
    paused: () => waiting,
    resume: async (task, decision) => {
      const found = waiting.find((candidate) => candidate.task === task);
      if (!found) throw new Error('only a paused task can be resumed');
      waiting = waiting.filter((candidate) => candidate !== found);
      const { promise } = found.nextPause();
      found.resume(decision);
      await promise;
    },
    kill: (processId) => {
      const before = waiting.length;
      waiting = waiting.filter(({ task }) => task.processId !== processId);
      return before - waiting.length;
    },
  };
}
