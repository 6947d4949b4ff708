// Whether a request for a payment page comes from a person, or from a program that prefetches it.

import type { FastifyRequest } from 'fastify';
import type { LinkVisit } from '../links/record-link-opened.ts';

export function openingOf({ method, headers }: FastifyRequest): LinkVisit {
  const purpose = [headers['sec-purpose'] ?? headers.purpose].flat()[0];
  return { method, userAgent: headers['user-agent'], purpose };
}
