// The error pages. Must not say that nothing was charged if the customer may have paid.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../base/errors.ts';
import { chooseLocale, type Locale } from '../base/locale.ts';
import type { HttpServer } from '../http/http-server.ts';
import { noteApiError, toApiError } from '../http/problem.ts';
import { sendPage } from './send-page.ts';
import { type PageState, renderStatePage } from './state-pages.ts';
import { toErrorView } from './views.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The language of the visited payment's pages, once it is known. */
    pageLocale: Locale | null;
  }
}

// A customer on these paths may have paid at a processor. The forms handle OutcomeNotRecordedError themselves.
const afterPaying = /\/(wait|return|back|kept)(\/|\?|$)/;

function pageFor(refusal: ApiError, request: FastifyRequest): PageState {
  if (refusal.status === 404) return 'not_found';
  if (refusal.status === 429) return 'too_many';
  if (refusal.status !== 503) return 'error';
  if (/\/receipt\.pdf(\?|$)/.test(request.url)) return 'no_pdf';
  return afterPaying.test(request.url) ? 'checking' : 'unavailable';
}

export function logAndDescribe(error: unknown, request: FastifyRequest, reply: FastifyReply): ApiError {
  const refusal = toApiError(error instanceof Error ? error : new Error(String(error)));
  noteApiError(request, refusal);
  void reply.headers(refusal.headers);
  return refusal;
}

function sendErrorPage(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = logAndDescribe(error, request, reply);
  const locale = request.pageLocale ?? chooseLocale({ acceptLanguage: request.headers['accept-language'] });
  const { code } = request.params as { code?: string };
  const refreshPath = code === undefined ? {} : { refreshPath: `/pay/${encodeURIComponent(code)}/wait` };
  const view = { ...toErrorView(locale, request.id), ...refreshPath };
  const html = renderStatePage(pageFor(refusal, request), view);
  return sendPage(reply, { html, locale, status: refusal.status });
}

export function useErrorPages(scope: HttpServer): void {
  scope.decorateRequest('pageLocale', null);
  scope.setErrorHandler(sendErrorPage);
}
