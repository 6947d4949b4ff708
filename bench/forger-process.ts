// A forger of processor webhooks in a separate process: a POST with orders starts a constant rate of
// webhooks, half to an existing connection and half to unknown ones, until an order to stop. The rate does
// not depend on the responses. A GET returns the number of responses by status.

import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newConnectionId } from '../src/base/ids.ts';

export type ForgerOrder = { url: string; companyId: string; connectionId: string; perSecond: number };
export type Forged = { sent: number; statuses: Record<string, number> };

const everyMs = 10;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const body = JSON.stringify({ id: 'evt_forged', object: 'event', type: 'charge.refunded', data: {} });
let forged: Forged = { sent: 0, statuses: {} };
let timer: NodeJS.Timeout | undefined;

function sendOne({ url, companyId, connectionId }: ForgerOrder): void {
  forged.sent += 1;
  const to = forged.sent % 2 === 0 ? connectionId : newConnectionId(companyId);
  const signature = `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`;
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    'stripe-signature': signature,
  };
  const outgoing = request(`${url}/processors/stripe/webhook/${to}`, { method: 'POST', agent, headers });
  outgoing.on('response', (response) => {
    const status = String(response.statusCode);
    forged.statuses[status] = (forged.statuses[status] ?? 0) + 1;
    response.resume();
  });
  // Connections cut by the stop of the service have no response.
  outgoing.on('error', () => undefined);
  outgoing.end(body);
}

function begin(order: ForgerOrder): void {
  forged = { sent: 0, statuses: {} };
  const startedAt = performance.now();
  timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * order.perSecond;
    while (forged.sent < due) sendOne(order);
  }, everyMs);
}

const server = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    if (incoming.method === 'POST') begin(JSON.parse(Buffer.concat(chunks).toString()) as ForgerOrder);
    if (incoming.method === 'DELETE') clearInterval(timer);
    response.end(JSON.stringify(forged));
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
