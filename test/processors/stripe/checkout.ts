// Checkout Sessions of the fake Stripe: created, paid, declined, challenged and expired. Each is paid at most once.
// Must not: import code of the service.

import type { FakeAccount } from './accounts.ts';
import { type Asked, type Done, pairsOf } from './api.ts';
import {
  type Charge,
  type Intent,
  impossible,
  invalid,
  type LastError,
  missing,
  newId,
  type Refusal,
  type Session,
  type SessionNotes,
} from './objects.ts';
import type { Change, Records } from './records.ts';

/** Stripe's limits of one payment in EUR and USD, in minor units. */
const amounts = { least: 50, most: 99_999_999 };
const lives = { leastSeconds: 30 * 60, mostSeconds: 24 * 60 * 60 };
/** The metadata whose value is written into the journal with the money. */
const linkNote = 'paylink_link';
const mostMarks = { names: 50, name: 40, value: 500 };

/** How the customer's bank behaves, on command. */
export type Bank = {
  declinesWith: string;
  isSlow: boolean;
  /** The captured amount in minor units; null: the full amount. */
  takesMinor: number | null;
};

/** The languages of Checkout, by the API reference. */
const locales = new Set(
  (
    'auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ' +
    'ro ru sk sl sv th tr vi zh zh-HK zh-TW'
  ).split(' '),
);

/** The supported parameters of a new session; Stripe refuses unknown ones. */
const known =
  /^(mode|client_reference_id|customer_email|locale|success_url|cancel_url|expires_at|expand\[\d+\]|adaptive_pricing\[enabled\]|metadata\[\w+\]|payment_intent_data\[(description|metadata\]\[\w+)\]|line_items\[\d+\]\[(quantity|price_data\]\[(currency|unit_amount|product_data\]\[name))\])$/;

function checkMetadata(metadata: Record<string, string>): Refusal | null {
  const isFine = Object.entries(metadata).every(
    ([name, value]) => name.length <= mostMarks.name && value.length <= mostMarks.value && value !== '',
  );
  const isShort = Object.keys(metadata).length <= mostMarks.names;
  return isFine && isShort ? null : invalid('metadata', 'Metadata is too long');
}

type Line = { quantity: string; currency: string; unitAmount: string; name: string };

/** A session may have at most 100 lines. */
const mostLines = 100;

/** The lines, which are numbered from 0 without gaps. */
function linesOf(form: URLSearchParams): Line[] {
  const count = new Set([...form.keys()].flatMap((name) => /^line_items\[(\d+)\]/.exec(name)?.[1] ?? []))
    .size;
  return Array.from({ length: count }, (_, index) => {
    const read = (path: string) => form.get(`line_items[${index}]${path}`) ?? '';
    return {
      quantity: read('[quantity]'),
      currency: read('[price_data][currency]'),
      unitAmount: read('[price_data][unit_amount]'),
      name: read('[price_data][product_data][name]'),
    };
  });
}

const totalOf = (form: URLSearchParams) =>
  linesOf(form).reduce((sum, { quantity, unitAmount }) => sum + Number(quantity) * Number(unitAmount), 0);

function lineFault(form: URLSearchParams): Refusal | null {
  const lines = linesOf(form);
  if (lines.length === 0) return invalid('line_items', 'Missing line_items', 'parameter_missing');
  if (lines.length > mostLines) return invalid('line_items', 'There are too many line items');
  if (new Set(lines.map(({ currency }) => currency)).size > 1)
    return invalid('line_items', 'All prices must have the same currency');
  if (lines.some(({ quantity }) => !/^[1-9]\d*$/.test(quantity)))
    return invalid('line_items[0][quantity]', 'Invalid integer');
  if (lines.some(({ unitAmount }) => !/^\d{1,12}$/.test(unitAmount)))
    return invalid('line_items[0][price_data][unit_amount]', 'Invalid non-negative integer');
  const isNamed = lines.every(({ name }) => name !== '' && name.length <= 5_000);
  return isNamed ? null : invalid('line_items', 'Missing name', 'parameter_missing');
}

function checkSession(form: URLSearchParams, nowSeconds: number): Refusal | null {
  const amount = totalOf(form);
  const currency = form.get('line_items[0][price_data][currency]') ?? '';
  const endsIn = Number(form.get('expires_at') ?? nowSeconds + lives.mostSeconds) - nowSeconds;
  const unknown = [...form.keys()].find((name) => !known.test(name));
  if (unknown !== undefined)
    return invalid(unknown, `Received unknown parameter: ${unknown}`, 'parameter_unknown');
  if (!locales.has(form.get('locale') ?? 'auto')) return invalid('locale', 'Invalid locale');
  if (form.get('mode') !== 'payment') return invalid('mode', 'This fake knows payments only');
  if (!/^(eur|usd)$/.test(currency)) return invalid('currency', 'Invalid currency');
  const faulty = lineFault(form);
  if (faulty) return faulty;
  if (amount < amounts.least) return invalid('line_items', 'The amount is too small', 'amount_too_small');
  if (amount > amounts.most) return invalid('line_items', 'The amount is too large', 'amount_too_large');
  if (!form.get('success_url')) return invalid('success_url', 'Missing success_url', 'parameter_missing');
  if (!/^\S+@\S+$/.test(form.get('customer_email') ?? 'a@b'))
    return invalid('customer_email', 'Invalid', 'email_invalid');
  if (endsIn < lives.leastSeconds) return invalid('expires_at', 'It must be at least 30 minutes from now');
  if (endsIn > lives.mostSeconds) return invalid('expires_at', 'It must be less than 24 hours from now');
  return (
    checkMetadata(pairsOf(form, 'metadata')) ?? checkMetadata(pairsOf(form, 'payment_intent_data[metadata]'))
  );
}

/** `POST /v1/checkout/sessions` */
export function createSession(records: Records, { account, form }: Asked): Done | Refusal {
  const created = records.nowSeconds();
  const refusal = checkSession(form, created);
  if (refusal) return refusal;
  const id = newId(account.isLive ? 'cs_live' : 'cs_test');
  const session: Session = {
    ...{ id, object: 'checkout.session', livemode: account.isLive, created, mode: 'payment' },
    ...{ status: 'open', payment_status: 'unpaid', payment_intent: null },
    amount_total: totalOf(form),
    currency: form.get('line_items[0][price_data][currency]') ?? '',
    client_reference_id: form.get('client_reference_id'),
    customer_email: form.get('customer_email'),
    locale: form.get('locale'),
    expires_at: Number(form.get('expires_at') ?? created + lives.mostSeconds),
    success_url: form.get('success_url') ?? '',
    cancel_url: form.get('cancel_url'),
    metadata: pairsOf(form, 'metadata'),
    url: `${records.url}/c/pay/${id}`,
  };
  const notes: SessionNotes = {
    object: 'session_notes',
    id: `notes_${id}`,
    description: form.get('payment_intent_data[description]'),
    metadata: pairsOf(form, 'payment_intent_data[metadata]'),
  };
  return { objects: [session, notes], body: session };
}

function expiryOf(records: Records, account: FakeAccount, session: Session): Change & { session: Session } {
  const expired: Session = { ...session, status: 'expired', url: null };
  const intent = records.find(account, 'payment_intent', session.payment_intent);
  return {
    session: expired,
    objects: [expired, ...(intent ? [{ ...intent, status: 'canceled' } as const] : [])],
    events: [{ type: 'checkout.session.expired', object: expired }],
  };
}

/** `POST /v1/checkout/sessions/:id/expire` */
export function expireSession(records: Records, { account, params }: Asked): Done | Refusal {
  const session = records.find(account, 'checkout.session', params.id ?? '');
  if (!session) return missing('checkout.session', params.id ?? '');
  if (session.status !== 'open')
    return impossible(`Only open sessions can be expired. This one is ${session.status}.`, {});
  const change = expiryOf(records, account, session);
  return { ...change, body: change.session };
}

/** Ends expired sessions. */
export function expireDue(records: Records, account: FakeAccount): void {
  for (const session of records.list(account, 'checkout.session')) {
    if (session.status !== 'open' || session.expires_at > records.nowSeconds()) continue;
    records.commit(account, expiryOf(records, account, session));
  }
}

/** The payment intent of a session, which is created at the customer's first attempt to pay. */
function intentOf(records: Records, account: FakeAccount, session: Session): Intent {
  const current = records.find(account, 'payment_intent', session.payment_intent);
  if (current) return current;
  const notes = records.find(account, 'session_notes', `notes_${session.id}`);
  return {
    ...{ id: newId('pi'), object: 'payment_intent', livemode: account.isLive, created: records.nowSeconds() },
    ...{ amount: session.amount_total, amount_received: 0, currency: session.currency },
    ...{ status: 'requires_payment_method', last_payment_error: null, latest_charge: null },
    ...{ description: notes?.description ?? null, metadata: notes?.metadata ?? {} },
  };
}

/** A charge copies the metadata of its payment intent when it is created. */
function chargeOf(
  records: Records,
  intent: Intent,
  status: Charge['status'],
  takenMinor = intent.amount,
): Charge {
  const { amount, currency, livemode, metadata, id } = intent;
  const captured = status === 'succeeded' ? takenMinor : 0;
  return {
    ...{ id: newId('ch'), object: 'charge', livemode, created: records.nowSeconds(), metadata },
    ...{ amount, amount_captured: captured, amount_refunded: 0, currency, payment_intent: id },
    ...{ status, paid: status === 'succeeded', refunded: false },
  };
}

/** The bank pays: the money arrives. */
function takeMoney(
  records: Records,
  account: FakeAccount,
  session: Session,
  { isLate, takesMinor }: { isLate: boolean; takesMinor: number | null },
): Change {
  const intent = intentOf(records, account, session);
  const takenMinor = takesMinor ?? intent.amount;
  const charge = chargeOf(records, intent, 'succeeded', takenMinor);
  const paid: Session = {
    ...{ ...session, status: 'complete', payment_status: 'paid', payment_intent: intent.id, url: null },
  };
  const done = { status: 'succeeded', amount_received: takenMinor, latest_charge: charge.id } as const;
  const type = isLate ? 'checkout.session.async_payment_succeeded' : 'checkout.session.completed';
  return {
    money: {
      ...{ type: 'charge', key: session.client_reference_id, reference: intent.id, chargeReference: null },
      linkCode: session.metadata[linkNote] ?? null,
      ...{ amountMinor: takenMinor, currency: intent.currency.toUpperCase() },
    },
    objects: [paid, { ...intent, ...done, last_payment_error: null }, charge],
    events: [{ type, object: paid }],
  };
}

/** The customer presses Pay with a card, or with a slow method whose money arrives later. */
export function pay(records: Records, account: FakeAccount, session: Session, bank: Bank): void {
  if (!bank.isSlow) {
    records.commit(
      account,
      takeMoney(records, account, session, { isLate: false, takesMinor: bank.takesMinor }),
    );
    return;
  }
  const intent: Intent = { ...intentOf(records, account, session), status: 'processing' };
  const waiting: Session = { ...session, status: 'complete', payment_intent: intent.id, url: null };
  const events = [{ type: 'checkout.session.completed', object: waiting }];
  records.commit(account, { objects: [waiting, intent, chargeOf(records, intent, 'pending')], events });
}

/** The bank declines, or the customer fails its challenge; the session stays open. */
export function decline(records: Records, account: FakeAccount, session: Session, error: LastError): void {
  const before = intentOf(records, account, session);
  const charge = chargeOf(records, before, 'failed');
  const failed = { status: 'requires_payment_method', last_payment_error: error } as const;
  const intent: Intent = { ...before, ...failed, latest_charge: charge.id };
  records.commit(account, { objects: [{ ...session, payment_intent: intent.id }, intent, charge] });
}

/** The bank requires authentication. */
export function challenge(records: Records, account: FakeAccount, session: Session): void {
  const intent: Intent = { ...intentOf(records, account, session), status: 'requires_action' };
  records.commit(account, { objects: [{ ...session, payment_intent: intent.id }, intent] });
}

/** A slow payment ends. */
export function settleSlow(records: Records, account: FakeAccount, isPaid: boolean): void {
  for (const session of records.list(account, 'checkout.session')) {
    const intent = records.find(account, 'payment_intent', session.payment_intent);
    if (session.status !== 'complete' || intent?.status !== 'processing') continue;
    if (isPaid) {
      records.commit(account, takeMoney(records, account, session, { isLate: true, takesMinor: null }));
      continue;
    }
    const message = 'The bank has turned it down.';
    const error = { type: 'card_error', code: 'payment_method_provider_timeout', message } as const;
    const failed = { status: 'requires_payment_method', last_payment_error: error } as const;
    const events = [{ type: 'checkout.session.async_payment_failed', object: session }];
    records.commit(account, { objects: [{ ...intent, ...failed }], events });
  }
}

/** Stripe captures a session that has ended. */
export function payAnyway(records: Records, account: FakeAccount, key: string): void {
  const session = records
    .list(account, 'checkout.session')
    .find(({ client_reference_id: reference }) => reference === key);
  if (!session) throw new Error(`there is no session of ${key}`);
  records.commit(account, takeMoney(records, account, session, { isLate: false, takesMinor: null }));
}

/** A foreign charge on the account. */
export function createForeignCharge(records: Records, account: FakeAccount, amount: number): void {
  const intent: Intent = {
    ...{ id: newId('pi'), object: 'payment_intent', livemode: account.isLive, created: records.nowSeconds() },
    ...{ amount, amount_received: amount, currency: 'eur', status: 'succeeded', last_payment_error: null },
    ...{ latest_charge: null, description: null, metadata: { cart: '7' } },
  };
  const money = { reference: intent.id, chargeReference: null, amountMinor: amount, currency: 'EUR' };
  records.commit(account, {
    money: { type: 'charge', key: null, linkCode: null, ...money },
    objects: [intent, chargeOf(records, intent, 'succeeded')],
  });
}
