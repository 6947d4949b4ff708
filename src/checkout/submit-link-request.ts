// The form "Ask for a new link" on the page of a link that has expired or failed. Its response must be the same whether
// the merchant was notified now or within the last hour, and whether they get an email.

import type { FastifyReply } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../db/database.ts';
import { enforceClientLimit } from '../http/rate-limit.ts';
import { requestLink } from '../links/request-link.ts';
import { requestableStateOf } from './views.ts';
import { pathOf, type Visit } from './visit.ts';

/** More than the customers behind one address need. */
const clientLimit = { name: 'link_request', quota: 60, windowSeconds: 60 };

/** Asks the merchant for a new link and redirects to the page that says so; any other link only to its page. */
export async function submitLinkRequest(
  deps: { db: Database; clock: Clock },
  visit: Visit,
  isForged: boolean,
): Promise<FastifyReply> {
  const { request, reply, view } = visit;
  if (isForged || requestableStateOf(view) === null) return reply.redirect(pathOf(visit), 303);
  await enforceClientLimit(deps.db, { limit: clientLimit, ip: request.ip, reply });
  await requestLink(deps, view.payment);
  return reply.redirect(`${pathOf(visit)}/requested`, 303);
}
