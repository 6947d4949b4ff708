// A TCP server on loopback that counts connections and bytes, and sends scripted responses.

import { createServer, type Socket } from 'node:net';

export type Listener = {
  port: number;
  readonly connections: number;
  /** All received bytes. */
  readonly received: string;
  /** Resolves once there was a connection. */
  connected: Promise<void>;
  /** Resolves once every connection so far is closed. */
  allClosed(): Promise<void>;
  stop(): Promise<void>;
};

/** Called with each connection as soon as something is received on it, once. */
export type Respond = (socket: Socket) => void;

export const answerNoContent: Respond = (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n');

/** Starts a listener; without `respond` it never responds. */
export async function startListener(respond: Respond = () => {}): Promise<Listener> {
  const sockets: Socket[] = [];
  let received = '';
  const connected = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    sockets.push(socket);
    connected.resolve();
    // The client may disconnect at any time.
    socket.on('error', () => {});
    socket.once('data', () => respond(socket));
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    get connections() {
      return sockets.length;
    },
    get received() {
      return received;
    },
    connected: connected.promise,
    async allClosed() {
      const open = sockets.filter((socket) => !socket.closed);
      await Promise.all(open.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
