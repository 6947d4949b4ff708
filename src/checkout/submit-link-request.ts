// The form "Ask for a new link" on the page of a link that has expired or failed. Its response must be the same whether
// the merchant was notified now or within the last hour, and whether they get an email.

import type { FastifyReply } from 'fastify';
import { enforceClientLimit } from '../http/rate-limit.ts';
import { isLinkRequested, requestLink } from '../links/request-link.ts';
import type { PayDeps } from '../payments/deps.ts';
import { showState } from './show-state.ts';
import { requestableStateOf } from './views.ts';
import { pathOf, type Visit } from './visit.ts';

/** More than the customers behind one address need. */
const clientLimit = { name: 'link_request', quota: 60, windowSeconds: 60 };

/**
 * Asks the merchant for a new link and redirects to the page that says so; any other link only to its page. A forged or
 * old form has no effect: the page says so and has a new form.
 */
export async function submitLinkRequest(
  deps: PayDeps,
  visit: Visit,
  isForged: boolean,
): Promise<FastifyReply> {
  const { request, reply, view } = visit;
  const state = requestableStateOf(view);
  if (state === null) return reply.redirect(pathOf(visit), 303);
  if (isForged) return await showState(deps, visit, state, { status: 403, isFormExpired: true });
  await enforceClientLimit(deps.db, { limit: clientLimit, ip: request.ip, reply });
  await requestLink(deps, view.payment);
  return reply.redirect(`${pathOf(visit)}/requested`, 303);
}

/** The page that says that the merchant was notified; the link's own page if that was not within the last hour. */
export async function showLinkRequested(deps: PayDeps, visit: Visit): Promise<FastifyReply> {
  const state = requestableStateOf(visit.view);
  if (state === null || !(await isLinkRequested(deps, visit.view.payment)))
    return visit.reply.redirect(pathOf(visit), 303);
  return await showState(deps, visit, state, { isLinkRequested: true, page: 'requested' });
}
