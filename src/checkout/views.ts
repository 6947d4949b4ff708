// Maps payments to the views that the pages render. Pure.

import { actionExpiryOf } from '../attempts/attempt-request.ts';
import { maxAttempts, mayRetry } from '../attempts/retry-policy.ts';
import type { PaymentView } from '../attempts/view-payment.ts';
import { maskEmail } from '../base/email-address.ts';
import { epcCodeForm, writeEpcCode } from '../base/epc-code.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Locale } from '../base/locale.ts';
import { contactSourceOf } from '../companies/contact-lines.ts';
import { methodId, type OfferedMethod, type PaymentMethod } from '../connections/list-methods.ts';
import { webAddress } from '../http/html.ts';
import { drawQrPng } from '../links/draw-qr.ts';
import type { Attempt } from '../payments/store.ts';
import type { ProcessorRegistry, TransferInstructions } from '../processors/processor.ts';
import { type Receipt, receiptLinks } from '../receipts/compose-receipt.ts';
import { pageTexts } from '../texts/texts.ts';
import { pageAssets } from './branding.ts';
import { issueFormToken } from './form-token.ts';
import type { PageFrame } from './layout.ts';
import { type MethodView, methodTitle, type PayNote } from './methods.ts';
import type { PayProblem, PayView, TestCard } from './pay-page.ts';
import type { ReceiptView } from './receipt-page.ts';
import type { PageState, StateView } from './state-pages.ts';
import { qrSize, type TransferView } from './transfer-page.ts';

export type ViewContext = {
  locale: Locale;
  keyring: Keyring;
  now: Date;
  testCards: readonly TestCard[];
  processors: Pick<ProcessorRegistry, 'kinds'>;
};

const cardProblems: ReadonlySet<string> = new Set<PayProblem>([
  'incorrect_csc',
  'expired_card',
  'authentication_failed',
  'authentication_abandoned',
  'processing_error',
]);

/** Whether an attempt used a card entered here. */
function isByCard(attempt: Attempt | null): boolean {
  return attempt !== null && attempt.cardLast4 !== null;
}

export function usedMethod(attempt: Attempt, { kind, connectionId }: PaymentMethod): boolean {
  return kind.name === attempt.processor && connectionId === attempt.connectionId;
}

const kindOf = (attempt: Attempt, { processors }: ViewContext) =>
  processors.kinds.find(({ name }) => name === attempt.processor);

function isTransfer(attempt: Attempt | null, context: ViewContext): boolean {
  return attempt !== null && kindOf(attempt, context)?.takes === 'transfer';
}

/** The name for customers of where an attempt is paid; null for a card entered here. */
function titleOfAttempt(attempt: Attempt | null, context: ViewContext): string | null {
  if (!attempt || isByCard(attempt)) return null;
  const kind = kindOf(attempt, context);
  return kind ? methodTitle(kind, pageTexts(context.locale)) : attempt.processor;
}

/** The name of a processor whose own page the customer pays on; null for a card entered here and for a transfer. */
export function titleOfMethod({ kind }: PaymentMethod): string | null {
  return kind.takes === 'page' ? kind.title : null;
}

/** Why the last attempt failed; null if it did not. */
function problemOf(view: PaymentView): PayProblem | null {
  const { attempt, methods } = view;
  const isCard = isByCard(attempt);
  if (view.isOverpaymentHeld) return 'refund_by_merchant';
  if (view.overpaymentRefund === 'in_progress') return isCard ? 'refunding_to_card' : 'refunding';
  if (view.overpaymentRefund === 'complete') return isCard ? 'refunded_to_card' : 'refunded';
  const code = attempt?.declineCode;
  if (!code || code === 'not_completed') return null;
  if (code === 'never_started') {
    if (isCard) return 'processing_error';
    return methods.some((method) => !usedMethod(attempt, method)) ? 'unreachable' : 'unreachable_alone';
  }
  if (!isCard) return code === 'source_declined' ? 'source_declined' : 'declined_at_processor';
  return cardProblems.has(code) ? (code as PayProblem) : 'declined_retry';
}

function noteOf({ attempt }: PaymentView, context: ViewContext): PayNote | null {
  if (attempt?.declineCode !== 'not_completed') return null;
  return isTransfer(attempt, context) ? 'transfer_not_expected' : 'not_completed';
}

/** What tells a method from others of its kind: the merchant's name, or a number if that is no difference; null alone. */
function nameAmong(twins: readonly OfferedMethod[], method: OfferedMethod): string | null {
  if (twins.length === 1) return null;
  const isUnique = twins.every((other) => other === method || other.name !== method.name);
  return isUnique && method.name !== method.kind.title ? method.name : String(twins.indexOf(method) + 1);
}

/** The methods that are up. One whose last attempt did not start comes last. */
function methodViewsOf({ methods, attempt, payment }: PaymentView): MethodView[] {
  const failed = attempt?.declineCode === 'never_started' && !isByCard(attempt) ? attempt : null;
  const up = methods.filter(({ isUp }) => isUp);
  // If every processor is down, one of them may be up again.
  const likely = up.length > 0 ? up : methods;
  // One card form is enough: it is the same form for every processor.
  const firstCard = likely.find(({ kind }) => kind.takes === 'card');
  const offered = likely.filter((method) => method.kind.takes !== 'card' || method === firstCard);
  const views = offered.map((method): MethodView => {
    const { kind, isUp } = method;
    return {
      id: methodId(method),
      takes: kind.takes,
      title: kind.title,
      name: nameAmong(
        offered.filter((other) => other.kind === kind),
        method,
      ),
      // A processor reports what it offers for its main currency.
      offers: payment.currency === 'EUR' ? method.offers : [],
      mayBeUnavailable: !isUp || (failed !== null && usedMethod(failed, method)),
    };
  });
  return views.toSorted((a, b) => Number(a.mayBeUnavailable) - Number(b.mayBeUnavailable));
}

/** A page of a link beside its own, at which the customer stays when they pick another language. */
export type LinkPage = 'receipt' | 'requested';

type FrameOptions = { locale: Locale; formToken: string; page?: LinkPage | undefined };

function frameOf({ company, payment }: PaymentView, { locale, formToken, page }: FrameOptions): PageFrame {
  const action = `/pay/${payment.code}/language${page ? `?page=${page}` : ''}`;
  return {
    locale,
    merchantName: company.name,
    assets: pageAssets(company),
    isTestMode: payment.mode === 'test',
    contact: contactSourceOf(company),
    languageForm: { action, token: formToken },
  };
}

function payerNameOf(view: PaymentView): string | null {
  const { firstName, lastName } = view.payment;
  return [firstName, lastName].filter(Boolean).join(' ') || null;
}

/** A page without a card form has its own text for an expired form. */
function problemWordingFor(
  methods: readonly MethodView[],
  problem: PayProblem | undefined,
): PayProblem | undefined {
  const hasCard = methods.some(({ takes }) => takes === 'card');
  return problem === 'form_expired' && !hasCard ? 'page_expired' : problem;
}

/** The method of the last attempt, unless it could not start there; null without one. */
function lastMethodOf({ attempt, methods }: PaymentView, offered: readonly MethodView[]): string | null {
  if (!attempt) return null;
  if (isByCard(attempt)) return offered.find(({ takes }) => takes === 'card')?.id ?? null;
  if (attempt.declineCode === 'never_started') return null;
  const used = methods.find((method) => usedMethod(attempt, method));
  return used ? methodId(used) : null;
}

/** Other texts could contain the number of a card. */
const expiryPattern = /^\d{1,2} ?[/.-] ?(\d\d|20\d\d)$/;

/** A browser may fill in the number of a card as its name. */
const hasCardNumber = (text: string) => /\d{12,}/.test(text.replace(/[\s\p{P}]/gu, ''));

/** What a POST chose and entered, to show again: never the number or the security code. */
export type EnteredForm = { chosenId?: string | null; name?: string; expiry?: string };

/** `form`: what was entered in a POST, and why it was refused. */
export function toPayView(
  view: PaymentView,
  context: ViewContext,
  form: EnteredForm & { problem?: PayProblem; fieldErrors?: PayView['fieldErrors'] } = {},
): PayView {
  const { payment, attempt } = view;
  const path = `/pay/${payment.code}`;
  const methods = methodViewsOf(view);
  const isForm = form.problem !== undefined;
  const formToken = issueFormToken(context.keyring, payment.code, context.now);
  return {
    frame: frameOf(view, { locale: context.locale, formToken }),
    methods,
    chosenId: form.chosenId ?? lastMethodOf(view, methods),
    note: isForm ? null : noteOf(view, context),
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    customerOrderId: payment.customerOrderId,
    description: payment.description,
    items: payment.items,
    payerName: payerNameOf(view),
    expiresAt: payment.expiresAt,
    secondsLeft: Math.max(0, Math.round((payment.expiresAt.getTime() - context.now.getTime()) / 1000)),
    action: path,
    formToken,
    lastAttemptId: attempt?.attemptId ?? '',
    leavePath: `${path}/leave`,
    problem: problemWordingFor(methods, form.problem) ?? problemOf(view),
    problemTitle: isForm ? null : titleOfAttempt(attempt, context),
    fieldErrors: form.fieldErrors ?? {},
    values: {
      name: hasCardNumber(form.name ?? '') ? '' : (form.name ?? ''),
      expiry: expiryPattern.test(form.expiry ?? '') ? (form.expiry ?? '') : '',
    },
    attemptsLeft: view.declinedAttempts > 0 ? Math.max(1, maxAttempts - view.declinedAttempts) : null,
    testCards:
      payment.mode === 'test' && methods.some(({ takes }) => takes === 'card') ? context.testCards : [],
  };
}

/** The status page of a payment that can't be paid now; null while it can. */
export function pageStateOf(view: PaymentView, context: ViewContext): PageState | 'transfer' | null {
  const { payment, attempt } = view;
  if (payment.state === 'open') return view.methods.length === 0 ? 'no_method' : null;
  if (payment.state !== 'processing') return payment.state;
  if (attempt?.state === 'requires_action' || attempt?.state === 'unknown') return attempt.state;
  return attempt?.state === 'processing' && isTransfer(attempt, context) ? 'transfer' : 'processing';
}

/** A card attempt may be cancelled only if another may follow: else the payment would fail. */
function mayAbandon({ attempt, company, declinedAttempts }: PaymentView): boolean {
  if (attempt && !isByCard(attempt)) return true;
  return mayRetry(company.retryPolicy, 'authentication_abandoned', declinedAttempts + 1);
}

/**
 * The status of a link whose customer may ask for a new one; null for any other. A cancelled link is not among them: the
 * merchant ended it. Nor is one with an overpayment that only the merchant can refund: its page says to contact them.
 */
export function requestableStateOf({ payment, isOverpaymentHeld }: PaymentView): 'failed' | 'expired' | null {
  const { state } = payment;
  return !isOverpaymentHeld && (state === 'failed' || state === 'expired') ? state : null;
}

/** When the payment reached its status. A refund changes a paid payment later, but not its attempt. */
function timeOf({ payment, attempt }: PaymentView): Date {
  if (payment.state === 'expired') return payment.expiresAt;
  return payment.state === 'paid' && attempt?.state === 'succeeded' ? attempt.updatedAt : payment.updatedAt;
}

function receiptOf({ payment, company }: PaymentView): NonNullable<StateView['receipt']> {
  const { code, email, refundedMinor, refundingMinor } = payment;
  return {
    ...receiptLinks('', code),
    email: company.sendsReceipts ? maskEmail(email) : null,
    refundedMinor,
    refundingMinor,
  };
}

export function toStateView(
  view: PaymentView,
  context: ViewContext,
  { returnUrl, page }: { returnUrl: string; page?: LinkPage | undefined },
): StateView {
  const { payment, attempt } = view;
  const path = `/pay/${payment.code}`;
  const isPaid = payment.state === 'paid';
  const isWaiting = payment.state === 'processing';
  const resumePath = webAddress(attempt?.actionUrl ?? undefined);
  const formToken = issueFormToken(context.keyring, payment.code, context.now);
  return {
    frame: frameOf(view, { locale: context.locale, formToken, page }),
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    customerOrderId: payment.customerOrderId,
    at: timeOf(view),
    card:
      isPaid && attempt?.cardBrand && attempt.cardLast4
        ? { brand: attempt.cardBrand, last4: attempt.cardLast4 }
        : null,
    // While a transfer is processed, it is the customer's bank that has not confirmed it.
    title: isWaiting && isTransfer(attempt, context) ? null : titleOfAttempt(attempt, context),
    overpaymentRefund: view.overpaymentRefund,
    isOverpaymentHeld: view.isOverpaymentHeld,
    refreshPath: `${path}/wait`,
    returnUrl,
    ...(isPaid ? { receipt: receiptOf(view) } : {}),
    ...(resumePath ? { resumePath } : {}),
    ...(mayAbandon(view) ? { abandonPath: `${path}/abandon` } : {}),
    ...(requestableStateOf(view) ? { requestPath: `${path}/request-link` } : {}),
    formToken,
  };
}

/** Until when the processor keeps an attempt open; null for a card entered here. */
export function openUntilOf({ attempt }: PaymentView): Date | null {
  return attempt && !isByCard(attempt) ? actionExpiryOf(attempt) : null;
}

/** Null if nothing is due, or the standard can't express the transfer. */
function codeOf(instructions: TransferInstructions): TransferView['code'] {
  const { dueMinor, currency } = instructions;
  if (dueMinor === 0 || currency !== 'EUR') return null;
  try {
    return drawQrPng(
      writeEpcCode({ ...instructions, amountMinor: dueMinor }),
      qrSize,
      epcCodeForm.correction,
    );
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export function toTransferView(
  view: PaymentView,
  context: ViewContext,
  instructions: TransferInstructions,
): TransferView {
  const { payment, company } = view;
  const path = `/pay/${payment.code}`;
  const formToken = issueFormToken(context.keyring, payment.code, context.now);
  return {
    frame: frameOf(view, { locale: context.locale, formToken }),
    instructions,
    code: codeOf(instructions),
    isNotifiedByEmail: company.sendsReceipts,
    refreshPath: `${path}/wait`,
    abandonPath: instructions.receivedMinor === 0 ? `${path}/abandon` : null,
    formToken,
  };
}

/** The page of a receipt. Its script would do nothing there. */
export function toReceiptView(
  view: PaymentView,
  receipt: Receipt,
  { keyring, now }: Pick<ViewContext, 'keyring' | 'now'>,
): ReceiptView {
  const { code } = view.payment;
  const formToken = issueFormToken(keyring, code, now);
  const frame = frameOf(view, { locale: receipt.locale, formToken, page: 'receipt' });
  const shown = { ...frame, assets: { ...frame.assets, js: null } };
  return { frame: shown, receipt, pdfPath: `/pay/${code}/receipt.pdf` };
}

/** The view of a page without a payment: an unknown code, or an internal error. */
export function toErrorView(locale: Locale, requestId: string): StateView {
  return { frame: { locale, merchantName: '', assets: pageAssets(null), isTestMode: false }, requestId };
}
