// Bodies that are kept in several encodings: which one a request takes, and whether its client has it already.

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export type Encoding = 'br' | 'gzip' | 'identity';

/** A body in the encodings that there are; `identity` always. */
export type EncodedBodies = Partial<Record<Encoding, Buffer>> & { identity: Buffer };

export type EncodedContent = {
  contentType: string;
  bodies: EncodedBodies;
  /** SHA-256 of the content in hex. */
  hash: string;
};

export function hashContent(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Compresses a content once, for one that is sent often. */
export async function encodeContent(contentType: string, identity: Buffer): Promise<EncodedContent> {
  const [br, gzipped] = await Promise.all([compressBrotli(identity), compressGzip(identity)]);
  return { contentType, bodies: { identity, br, gzip: gzipped }, hash: hashContent(identity) };
}

/** The smallest form of a content that an Accept-Encoding header takes (RFC 9110 section 12.5.3). */
export function chooseEncoding(bodies: EncodedBodies, accepted: string | undefined): Encoding {
  const taken = new Set(
    (accepted ?? '')
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => !/;\s*q=0(\.0{0,3})?$/.test(part))
      .map((part) => part.split(';', 1)[0]?.trim()),
  );
  return (['br', 'gzip'] as const).find((encoding) => bodies[encoding] && taken.has(encoding)) ?? 'identity';
}

/** Whether If-None-Match names an ETag, by the weak comparison (RFC 9110 section 13.1.2): proxies weaken ours. */
function isKnown(header: string | undefined, etag: string): boolean {
  const named = (header ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return named.includes(etag) || named.includes('*');
}

/** Sends a content in the encoding that the request takes, or 304 when the client has it. */
export function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  content: EncodedContent,
): FastifyReply {
  const encoding = chooseEncoding(content.bodies, request.headers['accept-encoding']);
  // One ETag for each form of the bytes (RFC 9110 section 8.8.3).
  const etag = `"${content.hash.slice(0, 32)}-${encoding}"`;
  void reply.headers({ etag, vary: 'accept-encoding' });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.type(content.contentType).send(content.bodies[encoding] ?? content.bodies.identity);
}
