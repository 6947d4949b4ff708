// The headers by which links/ decides whether a person or a program opens a payment page.

import type { FastifyRequest } from 'fastify';
import type { LinkVisit } from '../links/record-link-opened.ts';

export function openingOf({ method, headers }: FastifyRequest): LinkVisit {
  const purpose = [headers['sec-purpose'] ?? headers.purpose].flat()[0];
  return { method, userAgent: headers['user-agent'], purpose };
}
