// What opening a link costs a customer: the requests that the page makes of us, and their bytes over the wire,
// heads included. A page that names something of another origin is a fault, not a figure.

import { once } from 'node:events';
import { connect } from 'node:net';
import { formatRawRequest } from './wrk.ts';

export type PageWeight = { requests: number; kb: number };

/** The answer to one request on a connection of its own, byte by byte. */
async function fetchRaw(host: string, target: string, encodings: string): Promise<Buffer> {
  const [address = '', port] = host.split(':');
  const socket = connect(Number(port), address);
  const headers = { accept: '*/*', 'accept-encoding': encodings, connection: 'close' };
  socket.write(formatRawRequest(host, ['GET', target], headers));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks);
}

/** What a page or a style sheet loads: icons, scripts, style sheets, pictures, fonts. */
function loadedBy(text: string): string[] {
  const tags = [...text.matchAll(/<(?:link|script|img)\b[^>]*?\s(?:href|src)="([^"]+)"/g)];
  const styles = [...text.matchAll(/url\(["']?([^"')]+)["']?\)/g)];
  return [...tags, ...styles]
    .map(([, address = '']) => address)
    .filter((address) => !/^data:|^#/.test(address));
}

/** Weighs the page of a path, with all that it loads. */
export async function weighPage(baseUrl: string, path: string): Promise<PageWeight> {
  const { host, origin } = new URL(baseUrl);
  const waiting = [path];
  const seen = new Set<string>();
  let bytes = 0;
  for (let target = waiting.pop(); target !== undefined; target = waiting.pop()) {
    if (seen.has(target)) continue;
    seen.add(target);
    const response = await fetchRaw(host, target, 'gzip, deflate, br, zstd');
    const head = response.subarray(0, response.indexOf('\r\n\r\n')).toString();
    if (!/^HTTP\/1\.1 200 /.test(head)) throw new Error(`${target} answered: ${head.split('\r\n')[0]}`);
    bytes += response.length;
    if (!/^content-type: text\/(html|css)/im.test(head)) continue;
    for (const address of loadedBy((await fetchRaw(host, target, 'identity')).toString())) {
      const url = new URL(address, `${origin}${target}`);
      if (url.origin !== origin) throw new Error(`the page loads something from ${url.origin}`);
      waiting.push(url.pathname + url.search);
    }
  }
  return { requests: seen.size, kb: bytes / 1_000 };
}
