// Opens the connection to a checked address, with TLS where the endpoint's address says https. Must
// never take a name where an address is due: connecting by name would look it up once more.

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Target } from './outbound-target.ts';

/** Begins a connection to a literal address. Tests put a pretend internet in its place. */
export type Dial = (address: string, port: number) => Socket;

export type ConnectResult = { socket: Socket } | { fault: 'connect_failed' | 'tls_failed' };

/** An address that does not answer leaves time for the next ones. */
const connectTimeoutMs = 4_000;
const maxAddressesTried = 3;

export const dialAddress: Dial = (address, port) => {
  if (isIP(address) === 0) throw new TypeError('Only an address may be dialled.');
  return connectTcp({ host: address, port, autoSelectFamily: false });
};

/**
 * Whether a socket gets as far as an event. When not, it is closed. It is closed as well once
 * `signal` aborts, then or later, so the deadline also ends what is sent and read on it.
 */
async function reaches(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<boolean> {
  // For good: an error between two listeners would end the process. What follows it is the close.
  socket.on('error', () => {});
  const close = () => socket.destroy();
  signal.addEventListener('abort', close, { once: true });
  return await new Promise((resolve) => {
    socket.once(event, () => resolve(true));
    socket.once('close', () => {
      signal.removeEventListener('abort', close);
      resolve(false);
    });
  });
}

async function openTcp(socket: Socket, signal: AbortSignal): Promise<Socket | null> {
  const timer = setTimeout(() => socket.destroy(), connectTimeoutMs);
  const isOpen = await reaches(socket, 'connect', signal);
  clearTimeout(timer);
  return isOpen ? socket : null;
}

/** The name goes into SNI and is compared with the certificate, as if it had been connected to. */
async function openTls(tcp: Socket, hostname: string, signal: AbortSignal): Promise<Socket | null> {
  const socket = connectTls({
    socket: tcp,
    host: hostname,
    servername: isIP(hostname) === 0 ? hostname : '',
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Said outright, so that no setting of the environment switches the check off.
    rejectUnauthorized: true,
  });
  return (await reaches(socket, 'secureConnect', signal)) ? socket : null;
}

/** Connects to the first of the addresses that answers. Whoever takes the socket closes it. */
export async function openConnection(
  { target, addresses, dial }: { target: Target; addresses: readonly string[]; dial: Dial },
  signal: AbortSignal,
): Promise<ConnectResult> {
  for (const address of addresses.slice(0, maxAddressesTried)) {
    if (signal.aborted) break;
    const tcp = await openTcp(dial(address, target.port), signal);
    if (!tcp) continue;
    if (!target.isTls) return { socket: tcp };
    const socket = await openTls(tcp, target.hostname, signal);
    return socket ? { socket } : { fault: 'tls_failed' };
  }
  return { fault: 'connect_failed' };
}
