// What traces and metrics need of the service.

export type TracingDeps = {
  log: { info(message: string): void; warn(message: string): void };
  version: string;
  /** The database connections of this process; null if they are not counted. */
  poolCounts(): { open: number; idle: number; waiting: number; max: number } | null;
};
