// From what payments know to what a page shows. Pure; no SQL, no HTTP.

import type { Keyring } from '../base/keyring.ts';
import type { Locale } from '../base/locale.ts';
import { maxAttempts, mayRetry } from '../payments/retry-policy.ts';
import type { PaymentView } from '../payments/view-payment.ts';
import { pageAssets } from './branding.ts';
import { issueFormToken } from './form-token.ts';
import type { PayProblem, PayView, TestCard } from './pay-page.ts';
import type { PageState, StateView } from './state-pages.ts';

export type ViewContext = { locale: Locale; keyring: Keyring; now: Date; testCards: readonly TestCard[] };

const problems: ReadonlySet<string> = new Set<PayProblem>([
  'incorrect_csc',
  'expired_card',
  'authentication_failed',
  'authentication_abandoned',
  'processing_error',
]);

/** Why the last try did not work, in the page's words; null when there was none. */
function problemOf(view: PaymentView): PayProblem | null {
  if (view.isMoneySentBack) return 'money_sent_back';
  const code = view.attempt?.declineCode;
  if (!code || code === 'not_completed') return null;
  if (code === 'never_started') return 'processing_error';
  return problems.has(code) ? (code as PayProblem) : 'declined_retry';
}

function frameOf(view: PaymentView | null, locale: Locale) {
  return {
    locale,
    merchantName: view?.company.name ?? '',
    assets: pageAssets(view?.company ?? null),
    sandbox: view?.payment.mode === 'test',
  };
}

function payerNameOf(view: PaymentView): string | null {
  const { firstName, lastName } = view.payment;
  return [firstName, lastName].filter(Boolean).join(' ') || null;
}

/** The pay page's view. `form` is what a refused post said: the faults, and the name to show again. */
export function toPayView(
  view: PaymentView,
  context: ViewContext,
  form: { problem?: PayProblem; fieldErrors?: PayView['fieldErrors']; name?: string } = {},
): PayView {
  const { payment } = view;
  const path = `/pay/${payment.code}`;
  return {
    frame: frameOf(view, context.locale),
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    customerOrderId: payment.customerOrderId,
    description: payment.description,
    payerName: payerNameOf(view),
    expiresAt: payment.expiresAt,
    action: path,
    formToken: issueFormToken(context.keyring, payment.code, context.now),
    leavePath: `${path}/leave`,
    problem: form.problem ?? problemOf(view),
    fieldErrors: form.fieldErrors ?? {},
    values: { name: form.name ?? '' },
    attemptsLeft: view.endedAttempts > 0 ? Math.max(1, maxAttempts - view.endedAttempts) : null,
    testCards: payment.mode === 'test' ? context.testCards : [],
  };
}

/** Which page shows a payment that has no card form to show; null while it is open. */
export function pageStateOf(view: PaymentView): PageState | null {
  const { payment, attempt } = view;
  if (payment.state === 'open') return null;
  if (payment.state !== 'processing') return payment.state;
  if (attempt?.state === 'requires_action' || attempt?.state === 'unknown') return attempt.state;
  return 'processing';
}

/** The view of a state page; `returnUrl` is the signed way back. */
export function toStateView(view: PaymentView, context: ViewContext, returnUrl: string): StateView {
  const { payment, attempt } = view;
  const path = `/pay/${payment.code}`;
  const isPaid = payment.state === 'paid';
  return {
    frame: frameOf(view, context.locale),
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    customerOrderId: payment.customerOrderId,
    at: payment.state === 'expired' ? payment.expiresAt : payment.updatedAt,
    card:
      isPaid && attempt?.cardBrand && attempt.cardLast4
        ? { brand: attempt.cardBrand, last4: attempt.cardLast4 }
        : null,
    isMoneySentBack: view.isMoneySentBack,
    refreshPath: `${path}/wait`,
    returnUrl,
    ...(attempt?.actionUrl ? { resumePath: attempt.actionUrl } : {}),
    // Giving the attempt up is offered only where another card may follow; else it would fail the payment.
    ...(mayRetry(view.company.retryPolicy, 'authentication_abandoned', view.endedAttempts + 1)
      ? { abandonPath: `${path}/abandon` }
      : {}),
    formToken: issueFormToken(context.keyring, payment.code, context.now),
  };
}

/** The view of a page that knows no payment: an unknown code, or a fault of ours. */
export function toBareView(locale: Locale, requestId: string): StateView {
  return { frame: frameOf(null, locale), requestId };
}
