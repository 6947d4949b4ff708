// A TCP proxy on loopback that cuts, delays or drops data on command, or from a request with a given text on. Like TCP, it
// never delivers bytes out of order or after a lost byte.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../harness/paylink.ts';

export type NetworkFault =
  /** Closes every connection and accepts no new one. */
  | { kind: 'cut' }
  /** Delays each chunk in both directions. */
  | { kind: 'slow'; delayMs: number }
  /** Drops data and closes, and keeps the connections open. */
  | { kind: 'half-open'; loses: 'requests' | 'answers' | 'both' }
  /**
   * Strikes once: at the first request with this text. It is lost and its connection cut ('request'), or it is delivered, and
   * its connection cut once there is an answer ('answer'), or left open without one ('silence'). Then `onLost` is called.
   */
  | { kind: 'at-text'; text: string; loses: 'request' | 'answer' | 'silence'; onLost?: () => void };

export type TcpProxy = {
  port: number;
  /** Starts a fault, and ends the previous one. */
  breakDown(fault: NetworkFault): Promise<void>;
  /** Ends the fault. A connection that lost bytes stays silent; new ones work. */
  heal(): Promise<void>;
  close(): Promise<void>;
};

type Direction = 'requests' | 'answers';
type ProxyState = { fault: NetworkFault | null };

/** Loses a request or its answer, if the fault is one of a text that the chunk has. Returns whether the chunk is lost, too. */
function strike(state: ProxyState, chunk: Buffer, { from, to }: { from: Socket; to: Socket }): boolean {
  const { fault } = state;
  if (fault?.kind !== 'at-text' || !chunk.includes(fault.text)) return false;
  state.fault = null;
  const lose = () => {
    if (fault.loses !== 'silence') for (const socket of [from, to]) socket.destroy();
    fault.onLost?.();
  };
  if (fault.loses === 'request') lose();
  // Instead of forwarding it.
  else to.removeAllListeners('data').once('data', lose);
  return fault.loses === 'request';
}

/** Forwards one direction of a connection: the chunks in order, then the close. */
function carry(state: ProxyState, direction: Direction, from: Socket, to: Socket): void {
  let tail: Promise<unknown> = Promise.resolve();
  let isLost = false;
  const pass = (deliver: () => void) => {
    const { fault } = state;
    isLost ||= fault?.kind === 'half-open' && (fault.loses === 'both' || fault.loses === direction);
    if (isLost) return;
    const delayMs = fault?.kind === 'slow' ? fault.delayMs : 0;
    tail = tail.then(async () => {
      if (delayMs > 0) await sleep(delayMs);
      deliver();
    });
  };
  from.on('data', (chunk: Buffer) => {
    if (direction === 'requests' && strike(state, chunk, { from, to })) return;
    pass(() => to.write(chunk));
  });
  from.on('close', () => pass(() => to.destroy()));
  // A close follows each error and is forwarded.
  from.on('error', () => undefined);
}

/** Opens a proxy on a free loopback port, to `targetPort` on loopback. */
export async function openTcpProxy(targetPort: number): Promise<TcpProxy> {
  const state: ProxyState = { fault: null };
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  };
  const server = createServer({ noDelay: true }, (client) => {
    const target = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    keep(client);
    keep(target);
    carry(state, 'requests', client, target);
    carry(state, 'answers', target, client);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const shut = async () => {
    for (const socket of open) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  // A reserved port, because the proxy must get the same one again after a cut.
  const port = await freePort();
  await listen(port);
  const heal = async () => {
    state.fault = null;
    if (!server.listening) await listen(port);
  };
  return {
    port,
    heal,
    breakDown: async (fault) => {
      await heal();
      state.fault = fault;
      if (fault.kind === 'cut') await shut();
    },
    close: shut,
  };
}
