// Opens the connection to a checked address, with TLS if the endpoint's URL says https. Must not accept a
// name instead of an address: connecting by name would look it up again.

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Target } from './outbound-target.ts';

/** Connects to a literal address. Tests substitute a simulated internet. */
export type Dial = (address: string, port: number) => Socket;

export type ConnectResult = { socket: Socket } | { fault: 'connect_failed' | 'tls_failed' };

/** Leaves time for the next addresses if one does not respond. */
const connectTimeoutMs = 4_000;
const maxAddressesTried = 3;

export const dialAddress: Dial = (address, port) => {
  if (isIP(address) === 0) throw new TypeError('Only an IP address may be connected to.');
  return connectTcp({ host: address, port, autoSelectFamily: false });
};

/**
 * Whether a socket emits an event. If not, it is closed. It is also closed once `signal` aborts, then or
 * later, so the deadline also ends what is sent and read on it.
 */
async function reaches(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<boolean> {
  // Permanent: an error between two listeners would end the process. A close follows it.
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

/** The name is sent as SNI and compared with the certificate, as if the connection were by name. */
async function openTls(tcp: Socket, hostname: string, signal: AbortSignal): Promise<Socket | null> {
  const socket = connectTls({
    socket: tcp,
    host: hostname,
    servername: isIP(hostname) === 0 ? hostname : '',
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Explicit, so that no environment variable disables the check.
    rejectUnauthorized: true,
  });
  return (await reaches(socket, 'secureConnect', signal)) ? socket : null;
}

/** Connects to the first address that responds. The caller must close the socket. */
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
