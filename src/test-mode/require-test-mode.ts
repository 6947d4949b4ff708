// Refuses calls in live mode. What is behind it moves time and payments on request.

import type { FastifyRequest } from 'fastify';
import { errors } from '../base/errors.ts';
import { principalOf } from '../http/authentication.ts';

/** For `onRequest`, after the credentials. Throws `test_mode_only`. */
export async function requireTestMode(request: FastifyRequest): Promise<void> {
  if (principalOf(request).mode !== 'test') throw errors.testModeOnly();
}
