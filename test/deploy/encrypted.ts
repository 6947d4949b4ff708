// A certificate for localhost, and requests that trust only it.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request as requestPlain } from 'node:http';
import { request as requestEncrypted } from 'node:https';
import { join } from 'node:path';
import type { SecureVersion } from 'node:tls';

/** PEM files; `bothFile` has the certificate and its key. */
export type TlsFiles = { certFile: string; keyFile: string; bothFile: string };

/** Creates a key and a certificate that signs itself. */
export async function createTlsFiles(folder: string): Promise<TlsFiles> {
  const files = {
    certFile: join(folder, 'paylink.crt'),
    keyFile: join(folder, 'paylink.key'),
    bothFile: join(folder, 'paylink.pem'),
  };
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', files.keyFile, '-out', files.certFile];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...made, '-days', '2', ...names], { stdio: 'ignore' });
  await writeFile(files.bothFile, readFileSync(files.certFile, 'utf8') + readFileSync(files.keyFile, 'utf8'));
  return files;
}

export type Asked = {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The client's own address, such as 127.0.0.2. */
  localAddress?: string;
  maxVersion?: SecureVersion;
};
export type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

/** Sends a request on a new connection. Rejects without a complete response. */
export async function ask(url: string, tls: TlsFiles | null, asked: Asked = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { body = '', headers = {}, ...rest } = asked;
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const trust = tls ? { ca: readFileSync(tls.certFile), minVersion: 'TLSv1' as const } : {};
  const request = url.startsWith('https:') ? requestEncrypted : requestPlain;
  const options = { ...rest, ...trust, headers: { ...headers, ...length }, agent: false as const, family: 4 };
  const sent = request(url, options, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    response.on('error', reject);
  });
  // A proxy may answer and close the connection before it has read the body.
  sent.on('error', reject);
  sent.end(body);
  return await promise;
}
