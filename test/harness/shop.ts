// A merchant's website on its own origin. It records its visits.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

export type ShopVisit = { method: string; url: URL; headers: IncomingHttpHeaders };

export type Shop = {
  origin: string;
  addresses: { success_url: string; failure_url: string };
  /** The visits, in order. */
  visits: readonly ShopVisit[];
  stop(): Promise<void>;
};

// The empty icon keeps the browser from asking for one.
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<link rel="icon" href="data:,"><h1>The shop</h1></html>`;

/** Opens a shop on a free port of the loopback interface. */
export async function openShop(): Promise<Shop> {
  const visits: ShopVisit[] = [];
  let origin = '';
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    visits.push({ method, url: new URL(url, origin), headers });
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address !== 'object') throw new Error('the shop has no port');
  origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    addresses: { success_url: `${origin}/thanks?cart=7#top`, failure_url: `${origin}/sorry` },
    visits,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
