// One request to a hosted page: the payment of the visited link, with the language of its pages.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type PaymentView, type ViewDeps, viewPayment } from '../attempts/view-payment.ts';
import { runInTestTime } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { companyOfLinkCode } from '../base/ids.ts';
import { chooseLocale } from '../base/locale.ts';
import type { LinkVisit } from '../links/record-link-opened.ts';
import type { ViewContext } from './views.ts';

type VisitDeps = Omit<ViewContext, 'locale' | 'now'> & ViewDeps & { baseUrl: string };

export type Visit = {
  request: FastifyRequest;
  reply: FastifyReply;
  view: PaymentView;
  context: ViewContext;
  form: URLSearchParams;
  baseUrl: string;
};

/** Finds the payment of the visited link. A wrong code and another company's code give the same response. */
export async function openVisit(
  deps: VisitDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit> {
  const { code } = request.params as { code: string };
  const companyId = companyOfLinkCode(code);
  const view = companyId && (await viewPayment(deps, { companyId, mode: null, code }));
  if (!view) throw errors.notFound();
  const { payment, company } = view;
  const locale = chooseLocale({
    wanted: [payment.customerLocale, payment.locale],
    acceptLanguage: request.headers['accept-language'],
    country: company.country,
  });
  request.pageLocale = locale;
  const { keyring, testCards, processors } = deps;
  const now = runInTestTime(view.testTime, deps.clock.now);
  const context = { locale, keyring, now, testCards, processors };
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  return { request, reply, view, context, form, baseUrl: deps.baseUrl };
}

/** The path of the visited link. */
export const pathOf = (visit: Visit) => `/pay/${visit.view.payment.code}`;

/** The headers by which links/ decides whether a person or a program opens a payment page. */
export function openingOf({ method, headers }: FastifyRequest): LinkVisit {
  const purpose = [headers['sec-purpose'] ?? headers.purpose].flat()[0];
  return { method, userAgent: headers['user-agent'], purpose };
}
