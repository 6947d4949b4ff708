// Shows a payment that can't be paid now.

import type { FastifyReply } from 'fastify';
import { resultLink } from '../links/result-link.ts';
import { formOriginsOf, sendPage } from './send-page.ts';
import { type PageState, renderStatePage, type StateView } from './state-pages.ts';
import { type LinkPage, toStateView } from './views.ts';
import type { Visit } from './visit.ts';

/** `page`: the page to return to when another language is picked, unless it is the link's own. */
export type ShownState = Partial<StateView> & { status?: number; page?: LinkPage };

export async function showState(
  deps: Parameters<typeof resultLink>[0],
  visit: Visit,
  state: PageState,
  { status = 200, page, ...more }: ShownState = {},
): Promise<FastifyReply> {
  const { view, context, reply } = visit;
  const returnUrl = await resultLink(deps, view.payment);
  return sendPage(reply, {
    html: renderStatePage(state, { ...toStateView(view, context, { returnUrl, page }), ...more }),
    locale: context.locale,
    status,
    formOrigins: formOriginsOf(view.payment, visit.baseUrl),
  });
}
