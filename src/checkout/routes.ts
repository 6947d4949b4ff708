// The hosted pages. links/ and attempts/ decide what a payment does. Every response to a POST is a redirect or the
// form again, so that reload and Back never pay a second time.

import type { FastifyReply } from 'fastify';
import { toAttemptRequest } from '../attempts/attempt-request.ts';
import { OutcomeNotRecordedError, pay } from '../attempts/pay.ts';
import { localesOf } from '../attempts/pay-order.ts';
import { refreshAttempt } from '../attempts/refresh-attempt.ts';
import { type PaymentView, viewPayment } from '../attempts/view-payment.ts';
import { runInTestTime } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import { methodId, type PaymentMethod } from '../connections/list-methods.ts';
import { openProcessor } from '../connections/open-connection.ts';
import { useFormParser } from '../http/form-body.ts';
import { webAddress } from '../http/html.ts';
import type { HttpServer } from '../http/http-server.ts';
import { tryConsume } from '../http/rate-limit.ts';
import { isHumanVisit, isUnopened, recordLinkOpened } from '../links/record-link-opened.ts';
import { resultLink } from '../links/result-link.ts';
import type { PayDeps } from '../payments/deps.ts';
import { isAttemptFinal } from '../payments/states.ts';
import type { Attempt } from '../payments/store.ts';
import { type ProtectedCard, parseCard } from '../processors/card.ts';
import type { TransferInstructions } from '../processors/processor.ts';
import type { ReceiptRenderer } from '../receipts/receipt-renderer.ts';
import { checkoutAssets } from './assets.ts';
import { registerBranding, sendFile } from './branding.ts';
import { changeLanguage } from './change-language.ts';
import { logAndDescribe, useErrorPages } from './error-pages.ts';
import { isSameSite, isValidFormToken } from './form-token.ts';
import { type FieldProblem, type PayProblem, renderPayPage, type TestCard } from './pay-page.ts';
import { enteredIn, isRepeatedPost } from './posted-form.ts';
import { formOriginsOf, sendPage } from './send-page.ts';
import { sendReceiptPdf, showReceipt } from './show-receipt.ts';
import { showState } from './show-state.ts';
import { showLinkRequested, submitLinkRequest } from './submit-link-request.ts';
import { renderTransferPage } from './transfer-page.ts';
import { openUntilOf, pageStateOf, titleOfMethod, toPayView, toTransferView } from './views.ts';
import { openingOf, openVisit, pathOf, type Visit } from './visit.ts';

export type CheckoutDeps = PayDeps & {
  keyring: Keyring;
  testCards: readonly TestCard[];
  receiptRenderer: ReceiptRenderer;
};
type PageHandler = (deps: CheckoutDeps, visit: Visit) => Promise<FastifyReply>;
type FieldErrors = Partial<Record<'name' | 'number' | 'expiry' | 'csc', FieldProblem>>;

function showForm(
  visit: Visit,
  refused?: { status: number; problem: PayProblem; fieldErrors?: FieldErrors },
): FastifyReply {
  const { view, context } = visit;
  const entered = enteredIn(visit.form);
  const form = refused
    ? {
        ...entered,
        chosenId: visit.form.get('method'),
        problem: refused.problem,
        fieldErrors: refused.fieldErrors ?? {},
      }
    : entered;
  return sendPage(visit.reply, {
    html: renderPayPage(toPayView(view, context, form)),
    locale: context.locale,
    status: refused?.status ?? 200,
    formOrigins: formOriginsOf(view.payment, visit.baseUrl),
  });
}

/** How the customer sends the money of the live attempt; null if its processor has no such instructions. */
async function readInstructions(deps: CheckoutDeps, visit: Visit): Promise<TransferInstructions | null> {
  const { payment, attempt, company } = visit.view;
  if (!attempt) return null;
  const processor = await openProcessor(deps, { companyId: payment.companyId, ...attempt });
  return await processor.instruct(toAttemptRequest(deps.baseUrl, { payment, attempt, merchant: company }));
}

async function showTransfer(deps: CheckoutDeps, visit: Visit): Promise<FastifyReply> {
  const { view, context, reply } = visit;
  const instructions = await readInstructions(deps, visit);
  if (!instructions) return await showState(deps, visit, 'processing');
  return sendPage(reply, {
    html: renderTransferPage(toTransferView(view, context, instructions)),
    locale: context.locale,
    formOrigins: formOriginsOf(view.payment, visit.baseUrl),
  });
}

/** Shows the link: the methods while it is open, else the page of its status. */
const showLink: PageHandler = async (deps, visit) => {
  const state = pageStateOf(visit.view, visit.context);
  if (!state) return showForm(visit);
  return state === 'transfer' ? await showTransfer(deps, visit) : await showState(deps, visit, state);
};

/** The next page of an attempt that waits for the customer; our redirect for a page of the processor. */
function actionPath(visit: Visit, actionUrl: string): string {
  const isOurs = new URL(actionUrl).origin === new URL(visit.baseUrl).origin;
  return isOurs ? actionUrl : `${pathOf(visit)}/continue`;
}

type RefreshedView = Pick<PaymentView, 'payment' | 'attempt'> & { hasResponse: boolean };

/** Shows a payment whose processor did not respond, without actions that need its response. */
async function showNoResponse(deps: CheckoutDeps, visit: Visit): Promise<FastifyReply> {
  const mayBePaid = pageStateOf(visit.view, visit.context) === 'requires_action';
  return mayBePaid ? await showState(deps, visit, 'unknown') : await showLink(deps, visit);
}

async function redirectToCurrentPage(
  deps: CheckoutDeps,
  visit: Visit,
  latest: Pick<PaymentView, 'payment' | 'attempt'> & Partial<RefreshedView>,
): Promise<FastifyReply> {
  const { payment, attempt, hasResponse = true } = latest;
  if (payment.state === 'processing' && !hasResponse)
    return await showNoResponse(deps, { ...visit, view: { ...visit.view, payment, attempt } });
  if (payment.state === 'paid' || payment.state === 'failed')
    return visit.reply.redirect(await resultLink(deps, payment), 303);
  if (payment.state === 'processing' && attempt?.state !== 'requires_action')
    return visit.reply.redirect(`${pathOf(visit)}/wait`, 303);
  return visit.reply.redirect(pathOf(visit), 303);
}

function isForged(deps: CheckoutDeps, visit: Visit): boolean {
  const token = visit.form.get('form_token') ?? '';
  return (
    !isSameSite(visit.request.headers['sec-fetch-site']) ||
    !isValidFormToken(deps.keyring, visit.view.payment.code, token, visit.context.now)
  );
}

/** The page of a link. It is shown even if its opening can't be recorded. */
const openPage: PageHandler = async (deps, visit) => {
  const { payment } = visit.view;
  if (isUnopened(payment) && isHumanVisit(openingOf(visit.request)))
    await recordLinkOpened(deps, payment).catch((err: unknown) =>
      visit.request.log.warn({ err }, 'could not record that a link was opened'),
    );
  return await showCurrent(deps, visit, showLink);
};

/** Without one, the card method, or else the first. */
function chosenMethod({ view, form }: Visit): PaymentMethod | undefined {
  const wanted = form.get('method');
  if (wanted !== null) return view.methods.find((method) => methodId(method) === wanted);
  return view.methods.find(({ kind }) => kind.takes === 'card') ?? view.methods[0];
}

const submitPayment: PageHandler = async (deps, visit) => {
  const { view } = visit;
  if (view.payment.state !== 'open' || view.methods.length === 0)
    return await redirectToCurrentPage(deps, visit, view);
  if (isForged(deps, visit)) return showForm(visit, { status: 403, problem: 'form_expired' });
  const method = chosenMethod(visit);
  if (!method) return showForm(visit, { status: 422, problem: 'method_unavailable' });
  const read = method.kind.takes === 'card' ? await readCard(deps, visit, method) : { card: null };
  if ('fieldErrors' in read)
    return showForm(visit, { status: 422, problem: 'fields', fieldErrors: read.fieldErrors });
  if (isRepeatedPost(visit, method, read.card)) return showForm(visit);
  const { companyId, mode, code } = view.payment;
  const { company: merchant } = view;
  const languages = localesOf(view.payment, visit.context.locale);
  const order = { companyId, mode, code, merchant, method, card: read.card, ...languages };
  const latest = await pay(deps, order).catch((error: unknown) => {
    if (error instanceof OutcomeNotRecordedError) return error;
    throw error;
  });
  if (latest instanceof OutcomeNotRecordedError)
    return await showUnrecorded(deps, visit, method, latest.cause);
  if (!latest) throw errors.notFound();
  const { payment, attempt } = latest;
  if (payment.state === 'processing' && attempt?.state === 'requires_action' && attempt.actionUrl)
    return visit.reply.redirect(actionPath(visit, attempt.actionUrl), 303);
  if (payment.state === 'open') return await showDecline(deps, visit);
  return await redirectToCurrentPage(deps, visit, latest);
};

/** Shows the form again with the reason, and with what was entered but the number and the code. */
async function showDecline(deps: CheckoutDeps, visit: Visit): Promise<FastifyReply> {
  const { companyId, mode, code } = visit.view.payment;
  const view = await viewPayment(deps, { companyId, mode, code });
  if (!view || pageStateOf(view, visit.context)) return visit.reply.redirect(pathOf(visit), 303);
  return showForm({ ...visit, view });
}

/** The card of the form, encrypted, or why the form or the processor refuses it. */
async function readCard(
  deps: CheckoutDeps,
  { view, form, context }: Visit,
  method: PaymentMethod,
): Promise<{ card: ProtectedCard } | { fieldErrors: FieldErrors }> {
  const field = (name: string) => (form.get(name) ?? '').slice(0, 1000);
  const read = parseCard(
    { name: field('cc_name'), number: field('cc_number'), expiry: field('cc_exp'), csc: field('cc_csc') },
    context.now,
  );
  if ('faults' in read) return { fieldErrors: read.faults };
  const { companyId, mode } = view.payment;
  const route = { companyId, mode, processor: method.kind.name, connectionId: method.connectionId };
  const fault = (await openProcessor(deps, route)).refuseCard(read.card);
  return fault ? { fieldErrors: { number: fault } } : { card: read.card };
}

/** The outcome could not be recorded. The worker finds it later. */
async function showUnrecorded(deps: CheckoutDeps, visit: Visit, method: PaymentMethod, cause: unknown) {
  const { status } = logAndDescribe(cause, visit.request, visit.reply);
  return await showState(deps, visit, 'unknown', { title: titleOfMethod(method), status });
}

/** Redirects to the processor's page, from a page of ours: the policy blocks the redirect of a form. */
const redirectToProcessor: PageHandler = async (deps, visit) => {
  const { payment, attempt } = visit.view;
  const address = webAddress(attempt?.actionUrl ?? undefined);
  if (payment.state !== 'processing' || attempt?.state !== 'requires_action' || !address)
    return await redirectToCurrentPage(deps, visit, visit.view);
  visit.reply.header('refresh', `0;url=${new URL(address).href}`);
  return await showState(deps, visit, 'leaving');
};

/** Limits queries to the processor about one attempt: anybody can reload its waiting page. */
const refreshLimit = { name: 'questions', quota: 12, windowSeconds: 60 };

/** Updates the live attempt from its processor, unless it is over the limit. */
async function refreshVisited(
  deps: CheckoutDeps,
  { payment }: PaymentView,
  attempt: Attempt,
  options: { shouldCancel: boolean },
): Promise<RefreshedView> {
  const { attemptId } = attempt;
  if (!(await tryConsume(deps.db, { limit: refreshLimit, who: attemptId })))
    return { payment, attempt, hasResponse: false };
  return await refreshAttempt(deps, {
    companyId: payment.companyId,
    mode: payment.mode,
    attemptId,
    actor: 'customer',
    shouldCancel: () => options.shouldCancel,
  });
}

async function refreshLiveAttempt(
  deps: CheckoutDeps,
  visit: Visit,
  options: { shouldCancel: boolean },
): Promise<FastifyReply> {
  const { attempt } = visit.view;
  if (!attempt || isAttemptFinal(attempt.state)) return await redirectToCurrentPage(deps, visit, visit.view);
  const refreshed = await refreshVisited(deps, visit.view, attempt, options);
  if (options.shouldCancel && refreshed.hasResponse && refreshed.attempt?.state === 'requires_action')
    return visit.reply.redirect(`${pathOf(visit)}/kept`, 303);
  return await redirectToCurrentPage(deps, visit, refreshed);
}

const returnFromProcessor: PageHandler = async (deps, visit) => {
  // An attempt in `created` belongs to the request that is calling the processor.
  if (visit.view.attempt?.state === 'created') return await redirectToCurrentPage(deps, visit, visit.view);
  return await refreshLiveAttempt(deps, visit, { shouldCancel: false });
};

/** The customer wants another method: cancels an attempt that waits for them. */
const abandon: PageHandler = async (deps, visit) => {
  if (isForged(deps, visit)) return visit.reply.redirect(pathOf(visit), 303);
  const state = pageStateOf(visit.view, visit.context);
  if (state !== 'requires_action' && state !== 'transfer')
    return await redirectToCurrentPage(deps, visit, visit.view);
  return await refreshLiveAttempt(deps, visit, { shouldCancel: true });
};

/** The customer cancelled at the processor: cancels that attempt there, and no other. */
const cancelAtProcessor: PageHandler = async (deps, visit) => {
  const { attempt } = visit.view;
  const { attemptId } = visit.request.params as { attemptId: string };
  if (attempt?.attemptId !== attemptId || attempt.state !== 'requires_action')
    return await redirectToCurrentPage(deps, visit, visit.view);
  return await refreshLiveAttempt(deps, visit, { shouldCancel: true });
};

/** Shows until when the processor keeps an attempt open that could not be cancelled. */
const showNotCancellable: PageHandler = async (deps, visit) =>
  await showCurrent(deps, visit, async (_, current) => {
    if (pageStateOf(current.view, current.context) !== 'requires_action')
      return await showLink(deps, current);
    return await showState(deps, current, 'requires_action', { openUntil: openUntilOf(current.view) });
  });

/** After a query to the processor if the customer may have paid there. */
async function showCurrent(deps: CheckoutDeps, visit: Visit, show: PageHandler): Promise<FastifyReply> {
  const { view } = visit;
  const { attempt } = view;
  if (!attempt || pageStateOf(view, visit.context) !== 'requires_action') return await show(deps, visit);
  const { hasResponse, ...latest } = await refreshVisited(deps, view, attempt, { shouldCancel: false });
  if (latest.payment.state !== 'processing') return visit.reply.redirect(pathOf(visit), 303);
  const current = { ...visit, view: { ...view, ...latest } };
  return hasResponse ? await show(deps, current) : await showNoResponse(deps, current);
}

const showWaitPage: PageHandler = async (deps, visit) => {
  const { payment, attempt } = visit.view;
  const isUndecided = attempt?.state === 'unknown' || attempt?.state === 'processing';
  const refreshed =
    payment.state === 'processing' && isUndecided
      ? await refreshVisited(deps, visit.view, attempt, { shouldCancel: false })
      : visit.view;
  const current = { ...visit, view: { ...visit.view, ...refreshed } };
  const state = pageStateOf(current.view, current.context);
  return state === 'processing' || state === 'unknown' || state === 'transfer'
    ? await showLink(deps, current)
    : await redirectToCurrentPage(deps, current, refreshed);
};

/** "Cancel and return": redirects to the merchant, and cancels nothing. */
const returnToMerchant: PageHandler = async (deps, visit) =>
  visit.reply.redirect(await resultLink(deps, visit.view.payment), 303);

/** The customer of an ended link asks the merchant for a new one. */
const askForLink: PageHandler = async (deps, visit) =>
  await submitLinkRequest(deps, visit, isForged(deps, visit));

/** The customer picks the language of the pages. */
const pickLanguage: PageHandler = async (deps, visit) =>
  await changeLanguage(deps, visit, isForged(deps, visit));

const pages: readonly [method: 'GET' | 'POST', path: string, step: PageHandler][] = [
  ['GET', '/:code', openPage],
  ['POST', '/:code', submitPayment],
  ['GET', '/:code/wait', showWaitPage],
  ['GET', '/:code/continue', redirectToProcessor],
  ['GET', '/:code/return', returnFromProcessor],
  ['GET', '/:code/back/:attemptId', cancelAtProcessor],
  ['GET', '/:code/kept', showNotCancellable],
  ['GET', '/:code/receipt', showReceipt],
  ['GET', '/:code/receipt.pdf', sendReceiptPdf],
  ['POST', '/:code/abandon', abandon],
  ['POST', '/:code/leave', returnToMerchant],
  ['POST', '/:code/language', pickLanguage],
  ['POST', '/:code/request-link', askForLink],
  ['GET', '/:code/requested', showLinkRequested],
];

export async function registerCheckoutRoutes(app: HttpServer, deps: CheckoutDeps): Promise<void> {
  const register = async (scope: HttpServer) => {
    // A person with a broken link gets a page, not a problem document.
    scope.setNotFoundHandler((request) => {
      if (request.method === 'GET' || request.method === 'HEAD') throw errors.notFound();
      throw errors.methodNotAllowed({ headers: { allow: 'GET, HEAD, POST' } });
    });
    useFormParser(scope);
    useErrorPages(scope);
    for (const [method, url, step] of pages) {
      scope.route({
        method,
        url,
        schema: { hide: true },
        handler: async (request, reply) => {
          const visit = await openVisit(deps, request, reply);
          return await runInTestTime(visit.view.testTime, async () => await step(deps, visit));
        },
      });
    }
  };
  await app.register(register, { prefix: '/pay' });
  for (const asset of checkoutAssets()) {
    app.get(asset.path, { schema: { hide: true } }, async (request, reply) =>
      sendFile(request, reply, asset),
    );
  }
  registerBranding(app, deps);
}
