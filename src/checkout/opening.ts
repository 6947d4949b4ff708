// What a request for a payment page says about who opens it: a person, or a program that looks ahead.

import type { FastifyRequest } from 'fastify';
import type { LinkVisit } from '../links/record-link-opened.ts';

export function openingOf({ method, headers }: FastifyRequest): LinkVisit {
  const purpose = [headers['sec-purpose'] ?? headers.purpose].flat()[0];
  return { method, userAgent: headers['user-agent'], purpose };
}
