// One request and its response over an open connection: HTTP/1.1, once. Must not follow a redirect,
// decompress a response, or read more of it than the limit.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Target } from './outbound-target.ts';

export type ExchangeRequest = { headers: Readonly<Record<string, string>>; body: string };

export type ExchangeResponse = {
  status: number;
  /** By lower-case names. Values of repeated headers are joined by commas. */
  headers: Readonly<Record<string, string>>;
  /** The beginning of the body as UTF-8. Invalid bytes show as U+FFFD, and so does U+0000. */
  bodyStart: string;
};

export type ExchangeError = 'tls_failed' | 'reset' | 'answer_too_large' | 'invalid_answer';

const maxResponseHeaderBytes = 16 * 1024;
/** The headers that say where a message goes and where it ends. Callers can't set them. */
const framing = /^(host|connection|content-length|transfer-encoding|trailer|te|expect|upgrade)$/i;
/** Responses of class 1xx come before the real one. Nobody needs many. */
const maxInformationalResponses = 8;

function faultOf(error: Error): ExchangeError {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'HPE_HEADER_OVERFLOW') return 'answer_too_large';
  if (code === 'HPE_INVALID_EOF_STATE') return 'reset';
  if (code.startsWith('HPE_')) return 'invalid_answer';
  // In TLS 1.3 a server requests a client certificate only after the handshake.
  return code.startsWith('ERR_SSL_') ? 'tls_failed' : 'reset';
}

/** The first bytes of a body. Leaving the loop closes the connection, whatever would follow. */
async function readStart(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** Omits a character that the limit cuts in two. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');
}

async function readResponse(response: IncomingMessage, maxAnswerBytes: number): Promise<ExchangeResponse> {
  const headers = Object.entries(response.headersDistinct).map(([name, values]) => [
    name,
    (values ?? []).join(', '),
  ]);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    bodyStart: textOf(await readStart(response, maxAnswerBytes)),
  };
}

/** Posts a message. The status counts once the body has ended, or the limit was read. */
export async function postMessage(
  { socket, target, message }: { socket: Socket; target: Target; message: ExchangeRequest },
  maxAnswerBytes: number,
): Promise<ExchangeResponse | { fault: ExchangeError }> {
  const { url } = target;
  return await new Promise((resolve) => {
    let informationalResponses = 0;
    const request = httpRequest({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: {
        ...Object.fromEntries(Object.entries(message.headers).filter(([name]) => !framing.test(name))),
        host: url.host,
        'content-length': Buffer.byteLength(message.body),
        connection: 'close',
      },
      maxHeaderSize: maxResponseHeaderBytes,
      insecureHTTPParser: false,
      // With its own connection a request has no agent: no keep-alive, no proxy.
      createConnection: () => socket,
    });
    const fail = (fault: ExchangeError) => {
      resolve({ fault });
      request.destroy();
    };
    request.on('error', (error) => fail(faultOf(error)));
    request.on('upgrade', () => fail('invalid_answer'));
    request.on('information', () => {
      informationalResponses += 1;
      if (informationalResponses > maxInformationalResponses) fail('invalid_answer');
    });
    request.on('response', (response) => {
      readResponse(response, maxAnswerBytes).then(resolve, (error: Error) => fail(faultOf(error)));
    });
    request.end(message.body);
  });
}
