// Orders of the fake PayPal: created, changed and captured by the merchant, and approved by the payer on a page. Must
// not: import code of the service.

import { type FakeRequest, type FakeResponse, formOf, jsonOf, seeOther } from '../kit/fake-server.ts';
import { type Button, renderHostedPage } from '../kit/hosted-page.ts';
import type { FakeState } from './fake-state.ts';
import { type Amount, type Capture, minorOf, newId, type OrderLine, requestIdLifeMs } from './records.ts';
import { payerLink, refusal, showCapture, showOrder } from './shapes.ts';

type Unit = {
  reference_id: string;
  custom_id: string;
  invoice_id: string;
  description?: string;
  amount: Amount & { breakdown?: { item_total?: Amount; discount?: Amount } };
  items?: Item[];
  soft_descriptor?: string;
};
type Item = { name: string; quantity: string; unit_amount: Amount };
type OrderBody = {
  intent: string;
  purchase_units: Unit[];
  payment_source: {
    paypal: {
      email_address?: string;
      experience_context: { return_url: string; cancel_url: string; brand_name?: string; locale?: string };
    };
  };
};

/** The JSON pointer of the first missing field that PayPal's OpenAPI document requires of an order. */
function findMissing(body: Partial<OrderBody>): string | null {
  const [unit] = body.purchase_units ?? [];
  if (!body.intent) return '/intent';
  if (!unit) return '/purchase_units';
  if (!unit.amount) return '/purchase_units/0/amount';
  if (!unit.amount.currency_code) return '/purchase_units/0/amount/currency_code';
  return unit.amount.value ? null : '/purchase_units/0/amount/value';
}

function hasBadLength({ purchase_units: [unit], payment_source: { paypal } }: OrderBody): boolean {
  const lengths: [string | undefined, number][] = [
    [unit?.reference_id, 256],
    [unit?.custom_id, 255],
    [unit?.invoice_id, 127],
    [unit?.description, 127],
    [unit?.soft_descriptor, 22],
    [paypal.experience_context.brand_name, 127],
  ];
  return lengths.some(([text, most]) => text !== undefined && (text.length < 1 || text.length > most));
}

/** PayPal's error for the items of an order; null if they are valid or missing. */
function findItemFault({ amount, items = [] }: Unit): FakeResponse | null {
  const { item_total: total, discount } = amount.breakdown ?? {};
  if (items.length === 0) return amount.breakdown ? refusal(422, 'ITEM_TOTAL_MISMATCH') : null;
  if (!total) return refusal(422, 'ITEM_TOTAL_REQUIRED');
  const isMoney = ({ currency_code, value }: Amount) =>
    currency_code === amount.currency_code && /^\d{1,10}\.\d{2}$/.test(value);
  const isValid = ({ name, quantity, unit_amount }: Item) =>
    name.length >= 1 && name.length <= 127 && /^[1-9]\d{0,9}$/.test(quantity) && isMoney(unit_amount);
  if (![total, discount ?? total].every(isMoney) || !items.every(isValid))
    return refusal(422, 'CANNOT_BE_NEGATIVE');
  const sum = items.reduce((cents, one) => cents + Number(one.quantity) * minorOf(one.unit_amount), 0);
  if (sum !== minorOf(total)) return refusal(422, 'ITEM_TOTAL_MISMATCH');
  const discounted = minorOf(total) - (discount ? minorOf(discount) : 0);
  return discounted === minorOf(amount) ? null : refusal(422, 'AMOUNT_MISMATCH');
}

/** PayPal's error for an order; null for a valid one. */
function findFault(body: OrderBody): FakeResponse | null {
  const missing = findMissing(body);
  if (missing) return refusal(400, 'MISSING_REQUIRED_PARAMETER', { field: missing });
  const [unit, ...others] = body.purchase_units ?? [];
  const wallet = body.payment_source?.paypal;
  const context = wallet?.experience_context;
  if (!unit || others.length > 0 || !context) return refusal(400, 'MISSING_REQUIRED_PARAMETER');
  if (!/^\d{1,10}\.\d{2}$/.test(unit.amount.value)) return refusal(422, 'DECIMAL_PRECISION');
  if (minorOf(unit.amount) <= 0) return refusal(422, 'CANNOT_BE_ZERO_OR_NEGATIVE');
  if (!['EUR', 'USD'].includes(unit.amount.currency_code)) return refusal(422, 'CURRENCY_NOT_SUPPORTED');
  const itemFault = findItemFault(unit);
  if (itemFault) return itemFault;
  if (hasBadLength(body)) return refusal(400, 'INVALID_STRING_LENGTH');
  const isWellFormed =
    URL.canParse(context.return_url) &&
    URL.canParse(context.cancel_url) &&
    /^[a-z]{2}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/.test(context.locale ?? 'en-US') &&
    /^[A-Za-z0-9 .*-]+$/.test(unit.soft_descriptor ?? 'a') &&
    /^[^@\s]+@[^@\s]+$/.test(wallet.email_address ?? 'a@b');
  return isWellFormed ? null : refusal(400, 'INVALID_PARAMETER_SYNTAX');
}

/** Creates an order, or returns the current order of this request ID. */
export function createOrder(fake: FakeState, app: string, request: FakeRequest): FakeResponse {
  const requestId = request.headers['paypal-request-id'] ?? null;
  const known = requestId === null ? null : fake.records.findByRequestId(app, requestId);
  if (known) return fake.show(known);
  const body = jsonOf(request) as OrderBody;
  const fault = findFault(body);
  if (fault) return fault;
  const [unit] = body.purchase_units as [Unit];
  const context = body.payment_source.paypal.experience_context;
  const order = fake.records.saveOrder({
    type: 'order',
    id: newId(),
    app,
    requestId,
    captureRequestId: null,
    status: 'PAYER_ACTION_REQUIRED',
    intent: body.intent,
    referenceId: unit.reference_id,
    customId: unit.custom_id,
    invoiceId: unit.invoice_id,
    amount: { currency_code: unit.amount.currency_code, value: unit.amount.value },
    brandName: context.brand_name ?? '',
    description: unit.description ?? '',
    softDescriptor: unit.soft_descriptor ?? '',
    returnUrl: context.return_url,
    cancelUrl: context.cancel_url,
    willDecline: false,
    captures: [],
    createdAt: fake.now().toISOString(),
  });
  return fake.show(order, 201);
}

export function patchOrder(fake: FakeState, order: OrderLine, request: FakeRequest): FakeResponse {
  const [change] = jsonOf(request) as { op: string; path: string; value: string }[];
  if (order.status === 'COMPLETED' || order.status === 'VOIDED')
    return refusal(422, 'ORDER_ALREADY_COMPLETED');
  if (!fake.settings.isPatchable || change?.op !== 'replace' || change.path !== '/intent')
    return refusal(422, 'NOT_PATCHABLE');
  fake.records.saveOrder({ ...order, intent: change.value });
  return { status: 204, body: '' };
}

function makeCapture(
  { records, now, sendWebhook, url, show }: FakeState,
  order: OrderLine,
  captureRequestId: string | null,
  made: Pick<Capture, 'status' | 'responseCode' | 'amount'>,
): FakeResponse {
  const capture = { id: newId(), at: now().toISOString(), ...made };
  const captures = [...order.captures, capture];
  const completed = records.saveOrder({ ...order, status: 'COMPLETED', captureRequestId, captures });
  const { amount = order.amount } = made;
  if (made.status === 'COMPLETED') records.book('charge', completed, { ...order, id: capture.id, amount });
  sendWebhook(order.app, `PAYMENT.CAPTURE.${made.status}`, 'capture', showCapture(url, completed, capture));
  return show(completed, 201);
}

/** Whether PayPal still remembers a capture with this request ID. */
function isRepeated({ now }: FakeState, order: OrderLine, requestId: string | null): boolean {
  const last = order.captures.at(-1);
  const isKept = last && now().getTime() - new Date(last.at).getTime() < requestIdLifeMs;
  return isKept === true && requestId !== null && requestId === order.captureRequestId;
}

export function captureOrder(fake: FakeState, order: OrderLine, request: FakeRequest): FakeResponse {
  const requestId = request.headers['paypal-request-id'] ?? null;
  if (isRepeated(fake, order, requestId)) return fake.show(order);
  if (order.status === 'COMPLETED') return refusal(422, 'ORDER_ALREADY_CAPTURED');
  if (order.intent !== 'CAPTURE') return refusal(422, 'ACTION_DOES_NOT_MATCH_INTENT');
  if (order.status !== 'APPROVED') return refusal(422, 'ORDER_NOT_APPROVED');
  const wish = fake.settings.nextCaptures.shift() ?? (order.willDecline ? null : fake.settings.everyCapture);
  if (wish && 'status' in wish) return makeCapture(fake, order, requestId, wish);
  const issue = wish?.issue ?? (order.willDecline ? 'INSTRUMENT_DECLINED' : null);
  if (!issue) return makeCapture(fake, order, requestId, { status: 'COMPLETED' });
  if (issue === 'PAYER_ACTION_REQUIRED')
    fake.records.saveOrder({ ...order, status: 'PAYER_ACTION_REQUIRED' });
  return refusal(422, issue, { links: [payerLink(fake.url, order.id)] });
}

/** PayPal completes a capture after a review. */
export function completeCapture({ records, sendWebhook, url }: FakeState, order: OrderLine): void {
  const captures = order.captures.map((one) => ({ ...one, status: 'COMPLETED' as const }));
  const completed = records.saveOrder({ ...order, captures });
  const capture = captures.at(-1);
  if (!capture) return;
  records.book('charge', completed, { ...order, id: capture.id });
  sendWebhook(order.app, 'PAYMENT.CAPTURE.COMPLETED', 'capture', showCapture(url, completed, capture));
}

/** PayPal captures an order whatever its status. */
export function captureAnyway(fake: FakeState, app: string, requestId: string): void {
  const order = fake.records.findByRequestId(app, requestId);
  if (!order) throw new Error(`there is no order of ${requestId}`);
  makeCapture(fake, order, requestId, { status: 'COMPLETED' });
}

/** PayPal redirects the payer back, with its own parameters added. */
function sendBack(address: string, parameters: Record<string, string>): FakeResponse {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return seeOther(url.href);
}

/** Performs the action of a payer's button. */
export function choose(fake: FakeState, order: OrderLine, request: FakeRequest): FakeResponse {
  const button = formOf(request).get('do');
  const token = order.id;
  if (button === 'back') return sendBack(order.cancelUrl, { token });
  if (order.status === 'PAYER_ACTION_REQUIRED' && button === '3ds')
    return seeOther(`${fake.url}/challenge?token=${token}`);
  if (order.status === 'PAYER_ACTION_REQUIRED') {
    const willDecline = button === 'decline' || button === 'fail';
    const approved = fake.records.saveOrder({ ...order, status: 'APPROVED', willDecline });
    fake.sendWebhook(
      order.app,
      'CHECKOUT.ORDER.APPROVED',
      'checkout-order',
      showOrder(fake.url, approved, []),
    );
  }
  return sendBack(order.returnUrl, { token, PayerID: 'FAKEPAYER1234' });
}

export const showPage = (
  { brandName, softDescriptor, description, amount }: OrderLine,
  buttons: readonly Button[],
): FakeResponse => ({
  status: 200,
  body: renderHostedPage({
    title: 'Fake PayPal',
    lines: [brandName, softDescriptor, description, `${amount.value} ${amount.currency_code}`],
    buttons,
  }),
});
