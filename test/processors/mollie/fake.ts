// A make-believe Mollie, run as a process of its own: the Payments API v2 (payments, refunds, profile), idempotency keys,
// a page to pay at, and classic webhooks. Written from docs.mollie.com; it must never import anything of the service.

import {
  type Fake,
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  formOf,
  jsonOf,
  seeOther,
  serveFake,
} from '../kit/fake-server.ts';
import { type Button, renderHostedPage } from '../kit/hosted-page.ts';
import { accounts, type Books, type MollieLine, openBooks } from './books.ts';
import {
  type BookCommand,
  failInDashboard,
  refundInDashboard,
  requirePayment,
  restate,
} from './fake-commands.ts';
import {
  amountOf,
  answer,
  captureShape,
  centsOf,
  listShape,
  type PaymentLine,
  paymentShape,
  type RefundLine,
  refundShape,
  refuse,
} from './shapes.ts';

/** Fewer than is asked for, so that a test has several pages. */
const mostOfPage = 4;

type Settings = {
  /** Whether new payments can be cancelled by us. Of Mollie's, few can: it depends on the method that is chosen. */
  isCancelable: boolean;
  /** Why the next declined cards fail. */
  failureReason: string | null;
  /** What becomes of a payment that the customer pays: some methods only authorise it, some take days. */
  paysAs: 'paid' | 'pending' | 'authorized';
  /** How much of a payment is taken, in cents; null: all of it. */
  takesCents: number | null;
  /** Whether authorised payments can be captured. */
  canCapture: boolean;
  /** The next payment is not made; a 500 is answered, and stored for its key. */
  failsPayment?: boolean;
  /** Other methods are there, so that the customer stays on the page after a decline. */
  staysOnDecline: boolean;
};

type World = { url: string; books: Books; settings: Settings };
type Own = { account: string; request: FakeRequest };

const accountOf = ({ headers }: FakeRequest) =>
  accounts.find(({ apiKey }) => headers.authorization === `Bearer ${apiKey}`);

/** The schema `locale` of Mollie's OpenAPI document. */
const locales = new Set(
  (
    'ca_ES cs_CZ da_DK de_AT de_CH de_DE de_LU en_BE en_GB en_NL en_US es_ES fi_FI fr_BE fr_FR fr_LU hu_HU is_IS ' +
    'it_IT lt_LT lv_LV nb_NO nl_BE nl_NL pl_PL pt_PT sk_SK sv_SE'
  ).split(' '),
);

/** Why Mollie would not take a description; null when it would. A refund and a payment need one. */
function descriptionFault(description: unknown): FakeAnswer | null {
  const isFine = typeof description === 'string' && description !== '' && [...description].length <= 255;
  return isFine ? null : refuse(422, 'The description is invalid', 'description');
}

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '');

/** Why Mollie would not take an amount; null when it would. */
function amountFault(amount: unknown): FakeAnswer | null {
  const { currency, value } = (amount ?? {}) as Record<string, unknown>;
  if (currency !== 'EUR' && currency !== 'USD')
    return refuse(422, 'The currency is not supported', 'amount.currency');
  if (typeof value !== 'string' || !/^\d{1,10}\.\d\d$/.test(value))
    return refuse(422, 'The amount has an invalid format', 'amount.value');
  return /^0+\.00$/.test(value) ? refuse(422, 'The amount is lower than the minimum', 'amount') : null;
}

function showPayment({ url, books }: World, payment: PaymentLine, embed: string | null): object {
  return paymentShape(url, payment, {
    all: books.refundsOf(payment.id),
    isEmbedded: embed === 'refunds',
  });
}

function createPayment(world: World, { account, request }: Own): FakeAnswer {
  const asked = jsonOf(request) as Record<string, unknown>;
  const fault = amountFault(asked.amount);
  if (fault) return fault;
  const { description, redirectUrl, cancelUrl = null, webhookUrl = null, locale = null } = asked;
  const described = descriptionFault(description);
  if (described || typeof description !== 'string') return described ?? refuse(422, 'No', 'description');
  if (!isAddress(redirectUrl)) return refuse(422, 'The redirect URL is invalid', 'redirectUrl');
  if (cancelUrl !== null && !isAddress(cancelUrl))
    return refuse(422, 'The cancel URL is invalid', 'cancelUrl');
  if (webhookUrl !== null && !isAddress(webhookUrl))
    return refuse(422, 'The webhook URL is invalid', 'webhookUrl');
  if (locale !== null && (typeof locale !== 'string' || !locales.has(locale)))
    return refuse(422, 'The locale is invalid', 'locale');
  const payment = world.books.createPayment({
    ...{ account, description, redirectUrl, cancelUrl, webhookUrl, locale },
    key: request.headers['idempotency-key'] ?? null,
    amount: asked.amount as PaymentLine['amount'],
    metadata: asked.metadata ?? null,
    isCancelable: world.settings.isCancelable,
  });
  return answer(201, showPayment(world, payment, null));
}

const noPayment = refuse(404, 'No payment exists with token');

function ownPayment({ books }: World, { account, request }: Own): PaymentLine | null {
  const payment = books.findPayment(request.params.id ?? '');
  return payment?.account === account ? payment : null;
}

function getPayment(world: World, own: Own): FakeAnswer {
  const payment = ownPayment(world, own);
  return payment ? answer(200, showPayment(world, payment, own.request.query.get('embed'))) : noPayment;
}

function cancelPayment(world: World, own: Own): FakeAnswer {
  const payment = ownPayment(world, own);
  if (!payment) return noPayment;
  if (payment.status !== 'open' || !payment.isCancelable)
    return refuse(422, 'The payment cannot be canceled');
  return answer(200, showPayment(world, world.books.end(payment, { status: 'canceled' }), null));
}

/** A page of things, newest first, from the one that the request names. */
function listPage<Thing extends { id: string }>(
  { url }: World,
  request: FakeRequest,
  kind: 'payments' | 'refunds' | 'captures',
  things: readonly Thing[],
  show: (thing: Thing) => object,
): FakeAnswer {
  const limit = Number(request.query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 250)
    return refuse(400, 'The limit is invalid', 'limit');
  const from = request.query.get('from');
  const start = from === null ? 0 : things.findIndex(({ id }) => id === from);
  if (start < 0) return refuse(404, 'The from parameter names nothing', 'from');
  const end = start + Math.min(limit, mostOfPage);
  const list = { url, path: request.path, kind, limit };
  return listShape(list, things.slice(start, end).map(show), things[end]?.id ?? null);
}

function listPayments(world: World, { account, request }: Own): FakeAnswer {
  const payments = world.books.listPayments(account);
  return listPage(world, request, 'payments', payments, (payment) => showPayment(world, payment, null));
}

function listRefunds(world: World, { account, request }: Own): FakeAnswer {
  const refunds = world.books.listRefunds(account);
  const isEmbedded = request.query.get('embed') === 'payment';
  return listPage(world, request, 'refunds', refunds, (refund) => {
    const payment = isEmbedded && world.books.findPayment(refund.paymentId);
    const shown = refundShape(world.url, refund);
    return payment ? { ...shown, _embedded: { payment: showPayment(world, payment, null) } } : shown;
  });
}

function listPaymentRefunds(world: World, own: Own): FakeAnswer {
  const payment = ownPayment(world, own);
  if (!payment) return noPayment;
  const refunds: RefundLine[] = world.books.refundsOf(payment.id).reverse();
  return listPage(world, own.request, 'refunds', refunds, (refund) => refundShape(world.url, refund));
}

function createRefund(world: World, own: Own): FakeAnswer {
  const { account, request } = own;
  const payment = ownPayment(world, own);
  if (!payment) return noPayment;
  const asked = jsonOf(request) as Pick<RefundLine, 'amount' | 'metadata' | 'description'>;
  const fault = amountFault(asked.amount) ?? descriptionFault(asked.description);
  if (fault) return fault;
  if (payment.status !== 'paid') return refuse(422, 'The payment is not paid and cannot be refunded');
  if (world.books.isDouble(payment, asked.amount.value))
    return refuse(409, 'A duplicate refund has been detected');
  const isSameCurrency = asked.amount.currency === payment.amount.currency;
  if (!isSameCurrency || centsOf(asked.amount) > world.books.leftOf(payment))
    return refuse(422, 'The specified amount cannot be refunded', 'amount');
  const key = request.headers['idempotency-key'] ?? null;
  const { amount, metadata, description } = asked;
  const made = { paymentId: payment.id, account, key, amount, metadata, description };
  const refund = world.books.createRefund(made);
  return answer(201, refundShape(world.url, refund));
}

function createCapture(world: World, own: Own): FakeAnswer {
  const { account, request } = own;
  const payment = ownPayment(world, own);
  if (!payment) return noPayment;
  const asked = jsonOf(request) as Partial<Record<'amount' | 'description' | 'metadata', unknown>>;
  const fault = asked.amount === undefined ? null : amountFault(asked.amount);
  const described = asked.description === undefined ? null : descriptionFault(asked.description);
  if (fault ?? described) return (fault ?? described) as FakeAnswer;
  if (payment.status !== 'authorized' || !world.settings.canCapture)
    return refuse(422, 'The payment cannot be captured');
  const amount = (asked.amount ?? payment.amount) as PaymentLine['amount'];
  if (world.books.capturesOf(payment.id).length > 0 || centsOf(amount) > centsOf(payment.amount))
    return refuse(422, 'The amount is higher than the amount that can be captured', 'amount');
  const description = (asked.description ?? null) as string | null;
  const made = { paymentId: payment.id, account, amount, description, metadata: asked.metadata ?? null };
  return answer(201, captureShape(world.url, world.books.createCapture(made)));
}

function listCaptures(world: World, own: Own): FakeAnswer {
  const payment = ownPayment(world, own);
  if (!payment) return noPayment;
  const captures = world.books.capturesOf(payment.id);
  return listPage(world, own.request, 'captures', captures, (capture) => captureShape(world.url, capture));
}

function releaseAuthorization(world: World, own: Own): FakeAnswer {
  const payment = ownPayment(world, own);
  if (!payment) return noPayment;
  if (payment.status !== 'authorized') return refuse(422, 'The payment is not in the authorized state');
  world.books.end(payment, { status: 'canceled' });
  return { status: 202, body: '' };
}

function getProfile(_: World, { request }: Own): FakeAnswer {
  const { holder: name, profileId: id } = accountOf(request) ?? {};
  return answer(200, { resource: 'profile', id, mode: 'live', name, status: 'verified', _links: {} });
}

/** Does what a POST wants once for each idempotency key; the same request again gets the same answer. */
function once({ books, settings }: World, { account, request }: Own, handle: () => FakeAnswer): FakeAnswer {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return handle();
  const asked = `${request.path} ${request.body.toString('utf8')}`;
  const known = books.findKey(account, key);
  if (known && known.request !== asked)
    return refuse(400, 'The idempotency key was used with other parameters');
  if (known) return { ...known.answer, headers: { ...known.answer.headers, 'idempotent-replayed': 'true' } };
  if (settings.failsPayment) {
    settings.failsPayment = false;
    const failed = answer(500, { status: 500, title: 'Internal Server Error' });
    books.keepKey({ account, key, request: asked, answer: failed });
    return failed;
  }
  const answered = handle();
  // A refusal is not kept: nothing was done that could be done twice.
  if (answered.status < 300) books.keepKey({ account, key, request: asked, answer: answered });
  return answered;
}

/** What the customer does on the page of an open payment. */
function choose({ books, settings }: World, payment: PaymentLine, button: string | null): FakeAnswer {
  const { redirectUrl, cancelUrl } = payment;
  if (payment.status !== 'open') return seeOther(redirectUrl);
  if (button === 'back') {
    books.end(payment, { status: 'canceled' });
    return seeOther(cancelUrl ?? redirectUrl);
  }
  if (button === '3ds') return seeOther(`/checkout/3ds/${payment.id}`);
  if (button === 'decline' && settings.staysOnDecline)
    return showPage(payment, methodButtons, 'Your card was declined. Choose another way to pay.');
  if (button === 'decline') books.end(payment, { status: 'failed', failureReason: settings.failureReason });
  if (button === 'fail') books.end(payment, { status: 'failed', failureReason: 'authentication_failed' });
  const { paysAs, takesCents } = settings;
  if (button === 'pay' || button === 'pass')
    books.end(payment, {
      status: paysAs,
      ...(paysAs === 'paid' ? { capturedCents: takesCents } : {}),
      ...(paysAs === 'authorized' ? { capturedCents: 0 } : {}),
    });
  return seeOther(redirectUrl);
}

const methodButtons: readonly Button[] = ['pay', 'decline', '3ds', 'back'];

function showPage(payment: PaymentLine, buttons: readonly Button[], message?: string): FakeAnswer {
  const { amount, description } = payment;
  const lines = [description, `${amount.value} ${amount.currency}`];
  const page = { title: 'Fake Mollie', lines, buttons, ...(message ? { message } : {}) };
  return { status: 200, body: renderHostedPage(page) };
}

type Command = Partial<Settings> & {
  settleRefunds?: 'refunded' | 'failed';
  settlePayments?: true;
  chargeElsewhere?: number;
  /** The key of an attempt whose money is taken, whatever holds of its payment. */
  chargeAnyway?: string;
} & BookCommand;

function takeCommand(world: World, command: Command): object {
  const { books, settings } = world;
  const {
    settleRefunds,
    settlePayments,
    chargeElsewhere,
    chargeAnyway,
    refundElsewhere,
    failElsewhere,
    restate: restated,
    ...changes
  } = command;
  Object.assign(settings, changes);
  if (refundElsewhere) refundInDashboard(books, refundElsewhere);
  if (failElsewhere) failInDashboard(books, failElsewhere);
  if (chargeAnyway) books.payAnyway(requirePayment(books.findByKey(chargeAnyway)));
  if (restated) restate(books, restated);
  if (settlePayments) books.settlePayments();
  if (settleRefunds) books.settleRefunds(settleRefunds);
  if (!chargeElsewhere) return {};
  const foreign = books.createPayment({
    ...{ account: accounts[0].apiKey, key: null, amount: amountOf(chargeElsewhere, 'EUR') },
    ...{ description: 'Order 7 of another shop', metadata: 'order-7', locale: null, isCancelable: false },
    ...{ redirectUrl: 'https://another.example/', cancelUrl: null, webhookUrl: null },
  });
  return { id: books.end(foreign, { status: 'paid' }).id };
}

function mollie(server: FakeServer<MollieLine>): Fake {
  const books = openBooks(server);
  const settings: Settings = {
    ...{ isCancelable: false, failureReason: 'card_declined', staysOnDecline: false },
    ...{ paysAs: 'paid', takesCents: null, canCapture: true },
  };
  const world: World = { url: server.url, books, settings };
  const api = (route: string, handle: (world: World, own: Own) => FakeAnswer) => ({
    route,
    on: 'api' as const,
    handle: (request: FakeRequest): FakeAnswer => {
      books.expireDue();
      const account = accountOf(request)?.apiKey;
      if (!account) return refuse(401, 'Missing authentication, or failed to authenticate');
      const own = { account, request };
      return request.method === 'POST' ? once(world, own, () => handle(world, own)) : handle(world, own);
    },
  });
  const page = (route: string, handle: (payment: PaymentLine, request: FakeRequest) => FakeAnswer) => ({
    route,
    on: 'pages' as const,
    handle: (request: FakeRequest): FakeAnswer => {
      books.expireDue();
      const payment = books.findPayment(request.params.id ?? '');
      return payment ? handle(payment, request) : { status: 404, body: 'There is nothing to pay here.' };
    },
  });
  const show = (buttons: readonly Button[]) => (payment: PaymentLine) =>
    payment.status === 'open' ? showPage(payment, buttons) : seeOther(payment.redirectUrl);
  const press = (payment: PaymentLine, request: FakeRequest) =>
    choose(world, payment, formOf(request).get('do'));
  return {
    routes: [
      api('GET /v2/profiles/me', getProfile),
      api('POST /v2/payments', createPayment),
      api('GET /v2/payments', listPayments),
      api('GET /v2/payments/:id', getPayment),
      api('DELETE /v2/payments/:id', cancelPayment),
      api('POST /v2/payments/:id/refunds', createRefund),
      api('GET /v2/payments/:id/refunds', listPaymentRefunds),
      api('POST /v2/payments/:id/captures', createCapture),
      api('GET /v2/payments/:id/captures', listCaptures),
      api('POST /v2/payments/:id/release-authorization', releaseAuthorization),
      api('GET /v2/refunds', listRefunds),
      page('GET /checkout/select-method/:id', show(methodButtons)),
      page('POST /checkout/select-method/:id', press),
      page('GET /checkout/3ds/:id', show(['pass', 'fail'])),
      page('POST /checkout/3ds/:id', press),
    ],
    command: (command) => takeCommand(world, command as Command),
  };
}

await serveFake<MollieLine>(mollie);
