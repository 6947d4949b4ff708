// The cost of opening a link: the page's requests to the service, and their bytes on the wire, including
// headers. A page that refers to another origin is a fault.

import { once } from 'node:events';
import { connect } from 'node:net';
import { formatRawRequest } from './wrk.ts';

export type PageWeight = { requests: number; kb: number };

/** The raw response to one request on its own connection. */
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

/** What a page or a style sheet loads: icons, scripts, style sheets, images, fonts. */
function loadedBy(text: string): string[] {
  const tags = [...text.matchAll(/<(?:link|script|img)\b[^>]*?\s(?:href|src)="([^"]+)"/g)];
  const styles = [...text.matchAll(/url\(["']?([^"')]+)["']?\)/g)];
  return [...tags, ...styles]
    .map(([, address = '']) => address)
    .filter((address) => !/^data:|^#/.test(address));
}

/** Measures the page at a path, including everything that it loads. */
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
