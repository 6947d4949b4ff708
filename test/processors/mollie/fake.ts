// A fake Mollie: the Payments API v2 (payments, refunds, profile), idempotency keys, a page, and classic webhooks. Written
// from docs.mollie.com. Must not: import code of the service.

import {
  type Fake,
  type FakeRequest,
  type FakeResponse,
  type FakeServer,
  formOf,
  jsonOf,
  seeOther,
  serveFake,
} from '../kit/fake-server.ts';
import { type Button, renderHostedPage } from '../kit/hosted-page.ts';
import {
  type BookCommand,
  failInDashboard,
  refundInDashboard,
  requirePayment,
  rewrite,
} from './fake-commands.ts';
import { linesFault } from './order-lines.ts';
import { accounts, type MollieLine, openRecords, type Records } from './records.ts';
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

/** Few, so that tests have several pages. */
const maxPageSize = 4;

type Settings = {
  /** Whether new payments can be cancelled. At Mollie this depends on the method. */
  isCancelable: boolean;
  /** The reason of the next declines. */
  failureReason: string | null;
  /** The status of a payment that the customer pays: some methods only authorise, some take days. */
  paysAs: 'paid' | 'pending' | 'authorized';
  /** The captured part, in cents; null: the full amount. */
  takesCents: number | null;
  /** Whether authorised payments can be captured. */
  canCapture: boolean;
  /** Makes the next payment fail with a stored 500. */
  failsPayment?: boolean;
  /** Whether the customer stays on the page after a decline. */
  staysOnDecline: boolean;
};

type World = { url: string; records: Records; settings: Settings };
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

/** Why Mollie refuses a description, which it requires; null when it is valid. */
function descriptionFault(description: unknown): FakeResponse | null {
  const isFine = typeof description === 'string' && description !== '' && [...description].length <= 255;
  return isFine ? null : refuse(422, 'The description is invalid', 'description');
}

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '');

/** Why Mollie refuses an amount; null when it is valid. */
function amountFault(amount: unknown): FakeResponse | null {
  const { currency, value } = (amount ?? {}) as Record<string, unknown>;
  if (currency !== 'EUR' && currency !== 'USD')
    return refuse(422, 'The currency is not supported', 'amount.currency');
  if (typeof value !== 'string' || !/^\d{1,10}\.\d\d$/.test(value))
    return refuse(422, 'The amount has an invalid format', 'amount.value');
  return /^0+\.00$/.test(value) ? refuse(422, 'The amount is lower than the minimum', 'amount') : null;
}

function showPayment({ url, records }: World, payment: PaymentLine, embed: string | null): object {
  return paymentShape(url, payment, {
    all: records.refundsOf(payment.id),
    isEmbedded: embed === 'refunds',
  });
}

function createPayment(world: World, { account, request }: Own): FakeResponse {
  const asked = jsonOf(request) as Record<string, unknown>;
  const fault = amountFault(asked.amount) ?? linesFault(asked.lines, asked.amount as PaymentLine['amount']);
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
  const payment = world.records.createPayment({
    ...{ account, description, redirectUrl, cancelUrl, webhookUrl, locale },
    key: request.headers['idempotency-key'] ?? null,
    amount: asked.amount as PaymentLine['amount'],
    metadata: asked.metadata ?? null,
    isCancelable: world.settings.isCancelable,
  });
  return answer(201, showPayment(world, payment, null));
}

const noPayment = refuse(404, 'No payment exists with token');

function ownPayment({ records }: World, { account, request }: Own): PaymentLine | null {
  const payment = records.findPayment(request.params.id ?? '');
  return payment?.account === account ? payment : null;
}

function getPayment(world: World, own: Own): FakeResponse {
  const payment = ownPayment(world, own);
  return payment ? answer(200, showPayment(world, payment, own.request.query.get('embed'))) : noPayment;
}

function cancelPayment(world: World, own: Own): FakeResponse {
  const payment = ownPayment(world, own);
  if (!payment) return noPayment;
  if (payment.status !== 'open' || !payment.isCancelable)
    return refuse(422, 'The payment cannot be canceled');
  return answer(200, showPayment(world, world.records.end(payment, { status: 'canceled' }), null));
}

/** A list page, newest first, from the entry that the request names. */
function listPage<Thing extends { id: string }>(
  { url }: World,
  request: FakeRequest,
  kind: 'payments' | 'refunds' | 'captures',
  things: readonly Thing[],
  show: (thing: Thing) => object,
): FakeResponse {
  const limit = Number(request.query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 250)
    return refuse(400, 'The limit is invalid', 'limit');
  const from = request.query.get('from');
  const start = from === null ? 0 : things.findIndex(({ id }) => id === from);
  if (start < 0) return refuse(404, 'The from parameter names nothing', 'from');
  const end = start + Math.min(limit, maxPageSize);
  const list = { url, path: request.path, kind, limit };
  return listShape(list, things.slice(start, end).map(show), things[end]?.id ?? null);
}

function listPayments(world: World, { account, request }: Own): FakeResponse {
  const payments = world.records.listPayments(account);
  return listPage(world, request, 'payments', payments, (payment) => showPayment(world, payment, null));
}

function listRefunds(world: World, { account, request }: Own): FakeResponse {
  const refunds = world.records.listRefunds(account);
  const isEmbedded = request.query.get('embed') === 'payment';
  return listPage(world, request, 'refunds', refunds, (refund) => {
    const payment = isEmbedded && world.records.findPayment(refund.paymentId);
    const shown = refundShape(world.url, refund);
    return payment ? { ...shown, _embedded: { payment: showPayment(world, payment, null) } } : shown;
  });
}

function listPaymentRefunds(world: World, own: Own): FakeResponse {
  const payment = ownPayment(world, own);
  if (!payment) return noPayment;
  const refunds: RefundLine[] = world.records.refundsOf(payment.id).reverse();
  return listPage(world, own.request, 'refunds', refunds, (refund) => refundShape(world.url, refund));
}

function createRefund(world: World, own: Own): FakeResponse {
  const { account, request } = own;
  const payment = ownPayment(world, own);
  if (!payment) return noPayment;
  const asked = jsonOf(request) as Pick<RefundLine, 'amount' | 'metadata' | 'description'>;
  const fault = amountFault(asked.amount) ?? descriptionFault(asked.description);
  if (fault) return fault;
  if (payment.status !== 'paid') return refuse(422, 'The payment is not paid and cannot be refunded');
  if (world.records.isDuplicate(payment, asked.amount.value))
    return refuse(409, 'A duplicate refund has been detected');
  const isSameCurrency = asked.amount.currency === payment.amount.currency;
  if (!isSameCurrency || centsOf(asked.amount) > world.records.leftOf(payment))
    return refuse(422, 'The specified amount cannot be refunded', 'amount');
  const key = request.headers['idempotency-key'] ?? null;
  const { amount, metadata, description } = asked;
  const made = { paymentId: payment.id, account, key, amount, metadata, description };
  const refund = world.records.createRefund(made);
  return answer(201, refundShape(world.url, refund));
}

function createCapture(world: World, own: Own): FakeResponse {
  const { account, request } = own;
  const payment = ownPayment(world, own);
  if (!payment) return noPayment;
  const asked = jsonOf(request) as Partial<Record<'amount' | 'description' | 'metadata', unknown>>;
  const fault = asked.amount === undefined ? null : amountFault(asked.amount);
  const described = asked.description === undefined ? null : descriptionFault(asked.description);
  if (fault ?? described) return (fault ?? described) as FakeResponse;
  if (payment.status !== 'authorized' || !world.settings.canCapture)
    return refuse(422, 'The payment cannot be captured');
  const amount = (asked.amount ?? payment.amount) as PaymentLine['amount'];
  if (world.records.capturesOf(payment.id).length > 0 || centsOf(amount) > centsOf(payment.amount))
    return refuse(422, 'The amount is higher than the amount that can be captured', 'amount');
  const description = (asked.description ?? null) as string | null;
  const made = { paymentId: payment.id, account, amount, description, metadata: asked.metadata ?? null };
  return answer(201, captureShape(world.url, world.records.createCapture(made)));
}

function listCaptures(world: World, own: Own): FakeResponse {
  const payment = ownPayment(world, own);
  if (!payment) return noPayment;
  const captures = world.records.capturesOf(payment.id);
  return listPage(world, own.request, 'captures', captures, (capture) => captureShape(world.url, capture));
}

function releaseAuthorization(world: World, own: Own): FakeResponse {
  const payment = ownPayment(world, own);
  if (!payment) return noPayment;
  if (payment.status !== 'authorized') return refuse(422, 'The payment is not in the authorized state');
  world.records.end(payment, { status: 'canceled' });
  return { status: 202, body: '' };
}

function getProfile(_: World, { request }: Own): FakeResponse {
  const { holder: name, profileId: id } = accountOf(request) ?? {};
  return answer(200, { resource: 'profile', id, mode: 'live', name, status: 'verified', _links: {} });
}

/** The enabled methods (docs.mollie.com, List payment methods): wallets only if they are asked for. */
function listMethods(_: World, { request }: Own): FakeResponse {
  const methods = [
    { resource: 'method', id: 'creditcard', description: 'Card' },
    { resource: 'method', id: 'ideal', description: 'iDEAL' },
    { resource: 'method', id: 'applepay', description: 'Apple Pay' },
  ].filter(({ id }) => id !== 'applepay' || request.query.get('includeWallets') === id);
  return answer(200, { count: methods.length, _embedded: { methods }, _links: {} });
}

/** Performs a POST once per idempotency key; a repeated one gets the stored response. */
function once(
  { records, settings }: World,
  { account, request }: Own,
  handle: () => FakeResponse,
): FakeResponse {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return handle();
  const asked = `${request.path} ${request.body.toString('utf8')}`;
  const known = records.findKey(account, key);
  if (known && known.request !== asked)
    return refuse(400, 'The idempotency key was used with other parameters');
  if (known) return { ...known.answer, headers: { ...known.answer.headers, 'idempotent-replayed': 'true' } };
  if (settings.failsPayment) {
    settings.failsPayment = false;
    const failed = answer(500, { status: 500, title: 'Internal Server Error' });
    records.keepKey({ account, key, request: asked, answer: failed });
    return failed;
  }
  const answered = handle();
  // Mollie does not store refusals.
  if (answered.status < 300) records.keepKey({ account, key, request: asked, answer: answered });
  return answered;
}

/** Performs the customer's action on the page. */
function choose({ records, settings }: World, payment: PaymentLine, button: string | null): FakeResponse {
  const { redirectUrl, cancelUrl } = payment;
  if (payment.status !== 'open') return seeOther(redirectUrl);
  if (button === 'back') {
    records.end(payment, { status: 'canceled' });
    return seeOther(cancelUrl ?? redirectUrl);
  }
  if (button === '3ds') return seeOther(`/checkout/3ds/${payment.id}`);
  if (button === 'decline' && settings.staysOnDecline)
    return showPage(payment, methodButtons, 'Your card was declined. Choose another way to pay.');
  if (button === 'decline') records.end(payment, { status: 'failed', failureReason: settings.failureReason });
  if (button === 'fail') records.end(payment, { status: 'failed', failureReason: 'authentication_failed' });
  const { paysAs, takesCents } = settings;
  if (button === 'pay' || button === 'pass')
    records.end(payment, {
      status: paysAs,
      ...(paysAs === 'paid' ? { capturedCents: takesCents } : {}),
      ...(paysAs === 'authorized' ? { capturedCents: 0 } : {}),
    });
  return seeOther(redirectUrl);
}

const methodButtons: readonly Button[] = ['pay', 'decline', '3ds', 'back'];

function showPage(payment: PaymentLine, buttons: readonly Button[], message?: string): FakeResponse {
  const { amount, description } = payment;
  const lines = [description, `${amount.value} ${amount.currency}`];
  const page = { title: 'Fake Mollie', lines, buttons, ...(message ? { message } : {}) };
  return { status: 200, body: renderHostedPage(page) };
}

type Command = Partial<Settings> & {
  settleRefunds?: 'refunded' | 'failed';
  settlePayments?: true;
  createForeignCharge?: number;
  /** The key of an attempt to capture, whatever the status of its payment. */
  forceCapture?: string;
} & BookCommand;

function takeCommand(world: World, command: Command): object {
  const { records, settings } = world;
  const {
    settleRefunds,
    settlePayments,
    createForeignCharge,
    forceCapture,
    createExternalRefund,
    failExternalRefunds,
    rewrite: restated,
    ...changes
  } = command;
  Object.assign(settings, changes);
  if (createExternalRefund) refundInDashboard(records, createExternalRefund);
  if (failExternalRefunds) failInDashboard(records, failExternalRefunds);
  if (forceCapture) records.payAnyway(requirePayment(records.findByKey(forceCapture)));
  if (restated) rewrite(records, restated);
  if (settlePayments) records.settlePayments();
  if (settleRefunds) records.settleRefunds(settleRefunds);
  if (!createForeignCharge) return {};
  const foreign = records.createPayment({
    ...{ account: accounts[0].apiKey, key: null, amount: amountOf(createForeignCharge, 'EUR') },
    ...{ description: 'Order 7 of another shop', metadata: 'order-7', locale: null, isCancelable: false },
    ...{ redirectUrl: 'https://another.example/', cancelUrl: null, webhookUrl: null },
  });
  return { id: records.end(foreign, { status: 'paid' }).id };
}

function mollie(server: FakeServer<MollieLine>): Fake {
  const records = openRecords(server);
  const settings: Settings = {
    ...{ isCancelable: false, failureReason: 'card_declined', staysOnDecline: false },
    ...{ paysAs: 'paid', takesCents: null, canCapture: true },
  };
  const world: World = { url: server.url, records, settings };
  const api = (route: string, handle: (world: World, own: Own) => FakeResponse) => ({
    route,
    on: 'api' as const,
    handle: (request: FakeRequest): FakeResponse => {
      records.expireDue();
      const account = accountOf(request)?.apiKey;
      if (!account) return refuse(401, 'Missing authentication, or failed to authenticate');
      const own = { account, request };
      return request.method === 'POST' ? once(world, own, () => handle(world, own)) : handle(world, own);
    },
  });
  const page = (route: string, handle: (payment: PaymentLine, request: FakeRequest) => FakeResponse) => ({
    route,
    on: 'pages' as const,
    handle: (request: FakeRequest): FakeResponse => {
      records.expireDue();
      const payment = records.findPayment(request.params.id ?? '');
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
      api('GET /v2/methods', listMethods),
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
