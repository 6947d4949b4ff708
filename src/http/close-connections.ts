// Closes connections once the listener is closed, so that each lasts for the request that may be on its way, and
// none holds up a stop. A connection with a request under way is not touched here.

import type { Socket } from 'node:net';
import type { HttpServer } from './http-server.ts';

/** A connection that has been open for so long without a byte was opened ahead of need, as browsers do. */
const youngMs = 2_000;
const lookEveryMs = 50;

/** Makes the server end its unused connections when it closes. Call it before the server listens. */
export function closeConnections(app: HttpServer): void {
  const openedAt = new Map<Socket, number>();
  let timer: NodeJS.Timeout | undefined;
  app.server.on('connection', (socket: Socket) => {
    openedAt.set(socket, performance.now());
    socket.once('close', () => openedAt.delete(socket));
  });
  const look = () => {
    // Node closes idle connections only once. A response that began before the stop has kept its own open.
    app.server.closeIdleConnections();
    const isYoung = (at: number) => performance.now() - at < youngMs;
    // One on which nothing was sent yet counts neither as idle nor as busy.
    for (const [socket, at] of openedAt) if (socket.bytesRead === 0 && !isYoung(at)) socket.destroy();
  };
  app.addHook('preClose', async () => {
    timer = setInterval(look, lookEveryMs);
  });
  app.addHook('onClose', async () => clearInterval(timer));
}
