// What traces and metrics need of the service.

export type TracingDeps = {
  log: { info(message: string): void; warn(message: string): void };
  version: string;
  /** The database connections of this process, at this moment. */
  poolState(): { idle: number; busy: number; waiting: number; size: number };
};
