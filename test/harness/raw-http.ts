// HTTP/1.1 byte by byte, for requests that no client would send. One request per connection.

import { connect } from 'node:net';
import { guardMs } from './process.ts';

export type RawRequest = {
  method: string;
  target: string;
  /** Content-Length is added for a body. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | null;
};
export type RawAnswer = { status: number; headers: Record<string, string>; text: string };

/** Parses the final response, skipping 1xx. */
function readRawAnswer(bytes: Buffer): RawAnswer {
  const whole = bytes.toString('latin1').replace(/^(HTTP\/1\.1 1\d\d [\s\S]*?\r\n\r\n)+/, '');
  const end = whole.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = whole.slice(0, Math.max(0, end)).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (!status) throw new Error(`that is no answer: ${JSON.stringify(whole.slice(0, 200))}`);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.toLowerCase(), value.join(':').trim()];
    }),
  );
  return { status, headers, text: Buffer.from(whole.slice(end + 4), 'latin1').toString('utf8') };
}

/** Throws if the connection ends without a response. */
export async function sendBytes(port: number, request: RawRequest): Promise<RawAnswer> {
  const length = request.body ? [['Content-Length', String(request.body.length)] as const] : [];
  const lines = [...request.headers, ...length, ['Connection', 'close'] as const];
  const head = `${request.method} ${request.target} HTTP/1.1\r\n${lines.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n`;
  return await exchangeBytes(
    port,
    Buffer.concat([Buffer.from(head, 'latin1'), request.body ?? Buffer.alloc(0)]),
  );
}

/** Sends raw bytes. Throws if the connection ends without a response. */
export async function exchangeBytes(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  socket.setTimeout(guardMs, () => socket.destroy(new Error('no answer came')));
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The server may close before the request is complete; its response still counts.
  socket.on('error', (error) => (chunks.length > 0 ? resolve(Buffer.concat(chunks)) : reject(error)));
  socket.on('close', () => resolve(Buffer.concat(chunks)));
  return readRawAnswer(await promise);
}
