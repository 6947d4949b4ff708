// The request log of a service: what records calls, and the queue that writes them.

import type { Clock } from '../base/clock.ts';
import type { HttpServer } from '../http/http-server.ts';
import { recordRequests } from './record-requests.ts';
import { openRequestQueue, type RequestQueueOptions } from './request-queue.ts';

export type RequestLog = {
  /** Records the calls of the routes that are registered later. */
  record(app: HttpServer): void;
  /** Writes what waits. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

/** Opens the request log. With 0 days it records nothing. */
export function openRequestLog({
  clock,
  days,
  ...options
}: RequestQueueOptions & { clock: Clock; days: number }): RequestLog {
  const queue = openRequestQueue(options);
  return {
    record: (app) => {
      if (days > 0) recordRequests(app, { clock, record: queue.add, onDropped: options.onDropped });
    },
    flush: queue.flush,
    close: queue.close,
  };
}
