// Every hosted page, rendered without a service.

import type { Locale } from '../../src/base/locale.ts';
import { pageAssets } from '../../src/checkout/branding.ts';
import type { PageFrame } from '../../src/checkout/layout.ts';
import type { MethodView } from '../../src/checkout/methods.ts';
import {
  type FieldName,
  type FieldProblem,
  type PayProblem,
  type PayView,
  renderPayPage,
} from '../../src/checkout/pay-page.ts';
import { renderShopPage } from '../../src/checkout/shop-page.ts';
import { type PageState, renderStatePage, type StateView } from '../../src/checkout/state-pages.ts';
import { qrSize, renderTransferPage, type TransferView } from '../../src/checkout/transfer-page.ts';
import type { EncodedContent } from '../../src/http/content-encoding.ts';
import { drawQrPng } from '../../src/links/draw-qr.ts';
import type { PaymentItem } from '../../src/payments/items.ts';

/** All values of merchants, customers and shops that appear on pages. */
export type Wording = { merchant: string; order: string; description: string; name: string; note: string };

export const plain: Wording = {
  merchant: 'Blumen',
  order: 'A-1',
  description: 'Roses',
  name: 'Ada',
  note: 'why',
};

export function everyWord(text: string): Wording {
  return { merchant: text, order: text, description: text, name: text, note: text };
}

export const problems: readonly PayProblem[] = [
  'incorrect_csc',
  'expired_card',
  'authentication_failed',
  'authentication_abandoned',
  'processing_error',
  'declined_retry',
  'refunding_to_card',
  'refunding',
  'refunded_to_card',
  'refunded',
  'refund_by_merchant',
  'unreachable',
  'unreachable_alone',
  'declined_at_processor',
  'source_declined',
  'method_unavailable',
  'form_expired',
  'page_expired',
  'fields',
];

export const fieldErrors: Record<FieldName, FieldProblem> = {
  name: 'missing',
  number: 'unsupported_test_card',
  expiry: 'expired',
  csc: 'too_long',
};

const states: readonly PageState[] = [
  'processing',
  'requires_action',
  'leaving',
  'unknown',
  'paid',
  'failed',
  'expired',
  'cancelled',
  'no_method',
  'not_found',
  'error',
  'too_many',
];

const way = (takes: MethodView['takes'], title: string): MethodView => ({
  id: `con_${title}`,
  takes,
  title,
  name: null,
  offers: takes === 'page' ? ['Apple Pay', 'iDEAL'] : [],
  mayBeUnavailable: false,
});
export const card = way('card', 'Cards');
export const elsewhere = way('page', 'Paypond');
export const transfer = way('transfer', 'Bank transfer');
export const every: readonly MethodView[] = [
  card,
  elsewhere,
  { ...way('page', 'Paypond'), id: 'con_other', name: 'Second account' },
  transfer,
  { ...way('page', 'Slow'), mayBeUnavailable: true },
];

/** The bytes that a browser gets: each takes brotli. */
export const weightOf = ({ bodies: { br, identity } }: EncodedContent): number =>
  Math.min(br?.length ?? identity.length, identity.length);

const ends = ['paid', 'failed', 'expired', 'cancelled'] as const;

const itemOf = (number: number, { note }: Wording): PaymentItem => ({
  name: note,
  quantity: number,
  unitAmountMinor: number === 3 ? -5_00 : 12_34,
  taxRate: number === 4 ? null : 19_00,
});

function frameFor(locale: Locale, words: Wording): PageFrame {
  const languageForm = { action: '/pay/code/language', token: words.note };
  return { locale, merchantName: words.merchant, assets: pageAssets(null), isTestMode: true, languageForm };
}

export function payView(locale: Locale, words: Wording = plain): PayView {
  return {
    frame: frameFor(locale, words),
    amountMinor: 1999,
    currency: 'EUR',
    customerOrderId: words.order,
    description: words.description,
    items: [],
    payerName: words.name,
    expiresAt: new Date('2026-11-27T12:00:00Z'),
    secondsLeft: 600,
    action: '/pay/code',
    methods: [card],
    chosenId: null,
    note: null,
    formToken: words.note,
    lastAttemptId: '',
    leavePath: '/pay/code/leave',
    problem: null,
    problemTitle: 'Paypond',
    fieldErrors: {},
    values: { name: words.name, expiry: '' },
    attemptsLeft: 2,
    testCards: [
      { number: '4242424242424242', what: 'success' },
      { number: '4000000000000002', what: 'declined' },
      { number: '4000002760003184', what: 'challenge' },
    ],
  };
}

export function stateView(locale: Locale, words: Wording = plain): StateView {
  return {
    frame: frameFor(locale, words),
    amountMinor: 1999,
    currency: 'EUR',
    customerOrderId: words.order,
    at: new Date('2026-11-20T12:00:00Z'),
    card: { brand: 'visa', last4: '4242' },
    refreshPath: '/pay/code/wait',
    returnUrl: 'https://shop.example/back?a=1&b=2',
    resumePath: '/sandbox/challenge',
    abandonPath: '/pay/code/abandon',
    requestPath: '/pay/code/request-link',
    formToken: words.note,
    requestId: words.note,
  };
}

export function transferView(locale: Locale, words: Wording = plain): TransferView {
  return {
    frame: frameFor(locale, words),
    instructions: {
      holder: words.merchant,
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
      reference: 'RF18539007547034',
      dueMinor: 1499,
      receivedMinor: 500,
      currency: 'EUR',
      expiresAt: new Date('2026-11-27T12:00:00Z'),
    },
    code: drawQrPng('x'.repeat(331), qrSize, 'medium'),
    isNotifiedByEmail: true,
    refreshPath: '/pay/code/wait',
    abandonPath: '/pay/code/abandon',
    formToken: words.note,
  };
}

/** The pages for payments on the processor's page. */
function pagesOfOtherMethods(locale: Locale, words: Wording): [string, string][] {
  const pay = payView(locale, words);
  const state = { ...stateView(locale, words), card: null, title: 'Paypond' };
  const transferring = transferView(locale, words);
  const { instructions } = transferring;
  const shown: [string, PayView][] = [
    ['one way', { ...pay, methods: [elsewhere] }],
    ['a transfer alone', { ...pay, methods: [transfer] }],
    ['every way', { ...pay, methods: every, note: 'not_completed' }],
    ['card first', { ...pay, methods: [card, elsewhere], note: 'transfer_not_expected' }],
    ['card in use', { ...pay, methods: every, chosenId: card.id, fieldErrors }],
    ['transfer chosen', { ...pay, methods: every, chosenId: transfer.id }],
    ['a week left', { ...pay, secondsLeft: 7 * 24 * 60 * 60 }],
    ['one way out of reach', { ...pay, methods: every, problem: 'unreachable' }],
  ];
  return [
    ...shown.map(([name, view]): [string, string] => [`pay, ${name}`, renderPayPage(view).html]),
    ...states.map((name): [string, string] => [`${name}, elsewhere`, renderStatePage(name, state).html]),
    [
      'kept',
      renderStatePage('requires_action', { ...state, openUntil: new Date('2026-11-20T13:00:00Z') }).html,
    ],
    ['transfer, partly', renderTransferPage(transferring).html],
    [
      'transfer, whole',
      renderTransferPage({
        ...transferring,
        abandonPath: null,
        code: null,
        isNotifiedByEmail: false,
        instructions: { ...instructions, dueMinor: 0, bic: null },
      }).html,
    ],
  ];
}

/** All pages in one language, by name. */
export function pagesIn(locale: Locale, words: Wording = plain): Map<string, string> {
  const pay = payView(locale, words);
  const frame = frameFor(locale, words);
  const pages = new Map<string, string>([
    ['pay', renderPayPage(pay).html],
    [
      'pay, items',
      renderPayPage({ ...pay, items: [1, 2, 3, 4].map((number) => itemOf(number, words)) }).html,
    ],
    ['pay, faulty', renderPayPage({ ...pay, problem: 'fields', fieldErrors }).html],
    ['pay, live', renderPayPage({ ...pay, frame: { ...frame, isTestMode: false }, attemptsLeft: 1 }).html],
  ]);
  for (const [name, page] of pagesOfOtherMethods(locale, words)) pages.set(name, page);
  for (const problem of problems) pages.set(`pay, ${problem}`, renderPayPage({ ...pay, problem }).html);
  for (const state of states) pages.set(state, renderStatePage(state, stateView(locale, words)).html);
  pages.set(
    'paid, refunded in part',
    renderStatePage('paid', {
      ...stateView(locale, words),
      overpaymentRefund: 'complete',
      receipt: {
        page: '/r',
        pdf: '/r.pdf',
        email: 'a•••@example.com',
        refundedMinor: 500,
        refundingMinor: 100,
      },
    }).html,
  );
  for (const state of ends) {
    const view = { ...stateView(locale, words), overpaymentRefund: 'in_progress' as const };
    pages.set(`${state}, overpayment refunded`, renderStatePage(state, view).html);
  }
  for (const state of ['failed', 'expired'] as const) {
    const view = { ...stateView(locale, words), isLinkRequested: true };
    pages.set(`${state}, link requested`, renderStatePage(state, view).html);
  }
  for (const outcome of ['success', 'failure'] as const) {
    const verified = { verified: true };
    const refused = { verified: false, reason: words.note };
    const result = {
      status: outcome === 'success' ? 'paid' : 'failed',
      note: words.note,
      order: words.order,
    };
    pages.set(`shop ${outcome}`, renderShopPage({ frame, outcome, verification: verified, result }).html);
    pages.set(
      `shop ${outcome}, refused`,
      renderShopPage({ frame, outcome, verification: refused, result: null }).html,
    );
  }
  return pages;
}
