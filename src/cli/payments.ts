// `paylink payments …`: a merchant's commands for payments, except refunds.

import { randomUUID } from 'node:crypto';
import type { PaylinkEvent, Payment, PaymentQuery, PaymentRequest } from '../../sdk/src/index.ts';
import { systemClock } from '../base/clock.ts';
import { currencies, isCurrency } from '../base/money.ts';
import { money, readAmounts } from './amounts.ts';
import { openInBrowser } from './browser.ts';
import { clientCommand, collect } from './client.ts';
import { type Command, fieldsOf, type ParsedArguments, readCount } from './command.ts';
import { usageError } from './command-error.ts';
import { confirm, requireConfirmable, yesOption } from './confirm.ts';
import { drawQr } from './qr.ts';
import { codeArgument, exampleCode, refundColumns, refundPayment } from './refunds.ts';
import { type Column, formatFields, formatTable } from './table.ts';
import { stripControlCharacters } from './terminal.ts';

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time as it was given, or the time after that many minutes, hours or days. */
function readTime(text: string): string {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count === undefined) return text;
  return new Date(systemClock.now().getTime() + Number(count) * (unitsMs[unit] ?? 0)).toISOString();
}

export function readMetadata(given: ParsedArguments): Record<string, string> {
  const pairs = given.texts('metadata').map((pair) => {
    const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined)
      throw usageError(`--metadata must have the form name=value, not "${pair}".`);
    return [name, value];
  });
  return Object.fromEntries(pairs);
}

function toRequest(given: ParsedArguments, url: string): PaymentRequest {
  const { amount = 0 } = readAmounts(given, { amount: 'amount' });
  const currency = given.required('currency');
  if (!isCurrency(currency)) throw usageError(`--currency cannot be "${currency}".`);
  const expires = given.text('expires');
  return {
    ...fieldsOf(given, {
      'first-name': 'firstName',
      'last-name': 'lastName',
      phone: 'phone',
      description: 'description',
      locale: 'locale',
    }),
    email: given.required('email'),
    currency,
    amount,
    customerOrderId: given.text('order') ?? randomUUID(),
    success_url: given.text('success-url') ?? `${url}/sandbox/shop/success`,
    failure_url: given.text('failure-url') ?? `${url}/sandbox/shop/failure`,
    ...(expires === undefined ? {} : { expiresAt: readTime(expires) }),
    ...(given.has('metadata') ? { metadata: readMetadata(given) } : {}),
  };
}

const create = clientCommand({
  name: 'payments create',
  earlierNames: ['pay create'],
  summary: 'Create a payment link, and print it with its QR code',
  details:
    'Only the link goes to standard output, everything else to standard error.\n' +
    'Without URLs of your own, the customer returns to the demo shop of the sandbox.',
  options: [
    { name: 'amount', value: 'AMOUNT', help: 'in major units, such as 19.99', isRequired: true },
    { name: 'currency', value: 'CODE', help: 'ISO 4217', isRequired: true, choices: currencies },
    { name: 'email', value: 'EMAIL', help: "the customer's email address", isRequired: true },
    { name: 'order', value: 'ID', help: 'your order ID; default: a new UUID' },
    { name: 'success-url', value: 'URL', help: 'where the customer goes after paying' },
    { name: 'failure-url', value: 'URL', help: 'where the customer goes if the payment failed' },
    { name: 'description', value: 'TEXT', help: 'what the customer pays for, shown on the payment page' },
    { name: 'first-name', value: 'NAME', help: "the customer's first name" },
    { name: 'last-name', value: 'NAME', help: "the customer's last name" },
    { name: 'phone', value: 'NUMBER', help: "the customer's phone number" },
    { name: 'locale', value: 'TAG', help: 'the language of the payment page, such as de' },
    { name: 'expires', value: 'WHEN', help: 'when the link expires: 2030-01-31T12:00:00Z, or 30m, 12h, 7d' },
    { name: 'metadata', value: 'NAME=VALUE', help: 'a metadata entry', isRepeatable: true },
    { name: 'no-qr', help: 'print no QR code' },
  ],
  examples: [
    'payments create --amount 19.99 --currency EUR --email ada@example.com',
    'payments create --amount 42 --currency USD --email ada@example.com --expires 12h --metadata cart=7',
  ],
  check: (given) => void toRequest(given, ''),
  run: async ({ client, given, terminal }) => {
    const payment = await client.payments.create(toRequest(given, client.url));
    const { PaymentLink: link, PaymentLinkCode, amount, currency, customerOrderId, expiresAt } = payment;
    const note = `${money(amount, currency)} for order ${customerOrderId}, open until ${expiresAt}. Code: ${PaymentLinkCode}`;
    if (!terminal.isJson) terminal.note(stripControlCharacters(note));
    if (!terminal.isJson && !given.has('no-qr')) terminal.note(drawQr(link, terminal).join('\n'));
    return { json: payment, lines: [link] };
  },
});

const filters = {
  status: 'status',
  order: 'customerOrderId',
  email: 'email',
  text: 'text',
  'min-amount': 'minAmount',
  'max-amount': 'maxAmount',
  currency: 'currency',
  from: 'createdFrom',
  to: 'createdTo',
  sort: 'sort',
} as const;

const readLimit = (given: ParsedArguments) => readCount(given, 'limit', { min: 1, max: 999_999 }) ?? 25;

const paymentColumns: readonly Column<Payment>[] = [
  { title: 'CREATED', text: ({ createdAt }) => createdAt.slice(0, 16).replace('T', ' ') },
  { title: 'STATUS', text: ({ status }) => status },
  { title: 'AMOUNT', isRight: true, text: ({ amount, currency }) => money(amount, currency) },
  { title: 'ORDER', isShrinkable: true, text: ({ customerOrderId }) => customerOrderId },
  { title: 'EMAIL', isShrinkable: true, text: ({ email }) => email },
  { title: 'CODE', text: ({ PaymentLinkCode }) => PaymentLinkCode },
];

const list = clientCommand({
  name: 'payments list',
  earlierNames: ['pay list'],
  summary: 'List payments, newest first',
  options: [
    {
      name: 'status',
      value: 'STATE',
      help: 'only with this status',
      choices: ['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'],
    },
    { name: 'order', value: 'ID', help: 'only with this order ID; a * at the end matches any ending' },
    { name: 'email', value: 'EMAIL', help: 'only of this customer; a * at the end matches any ending' },
    { name: 'text', value: 'TEXT', help: 'only if order ID, email address or name starts with this' },
    { name: 'min-amount', value: 'AMOUNT', help: 'only of at least this amount' },
    { name: 'max-amount', value: 'AMOUNT', help: 'only of at most this amount' },
    { name: 'currency', value: 'CODE', help: 'only in this currency', choices: currencies },
    { name: 'from', value: 'TIME', help: 'only created at this time or later' },
    { name: 'to', value: 'TIME', help: 'only created before this time' },
    {
      name: 'sort',
      value: 'FIELD',
      help: 'the order; default: -createdAt',
      choices: ['-createdAt', 'createdAt', '-CreatedOn', 'CreatedOn'],
    },
    { name: 'limit', value: 'COUNT', help: 'the number of payments; default: 25' },
    { name: 'cursor', value: 'CURSOR', help: 'continue where an earlier list ended' },
  ],
  examples: [
    'payments list --status paid --limit 10',
    "payments list --email 'ada@*' --from 2026-11-01T00:00:00Z --json",
  ],
  check: (given) => void readLimit(given),
  run: async ({ client, given, terminal }) => {
    // The choices of the options are those of the API. The service checks the rest.
    const query = fieldsOf(given, filters) as PaymentQuery;
    const page = await collect((page) => client.payments.list({ ...query, ...page }).page(), {
      max: readLimit(given),
      cursor: given.text('cursor'),
    });
    return {
      json: page,
      lines:
        page.data.length > 0
          ? await formatTable(page.data, paymentColumns, terminal.width)
          : ['No payments.'],
      notes: page.nextCursor ? [`There are more: --cursor ${page.nextCursor}`] : [],
    };
  },
});

const maxEvents = 1000;

const itemColumns = (currency: string): readonly Column<Payment['items'][number]>[] => [
  { title: '', text: ({ quantity }) => `${quantity} ×` },
  { title: '', isShrinkable: true, text: ({ name }) => name },
  { title: '', isRight: true, text: ({ unitAmount }) => money(unitAmount, currency) },
];

const eventColumns: readonly Column<PaylinkEvent>[] = [
  { title: '', text: ({ createdAt }) => createdAt },
  { title: '', text: ({ type }) => type },
  { title: '', text: ({ actor }) => actor },
];

const get = clientCommand({
  name: 'payments get',
  earlierNames: ['pay show'],
  summary: 'Show a payment with its refunds and events',
  arguments: [codeArgument],
  examples: [`payments get ${exampleCode}`, `payments get ${exampleCode} --json`],
  run: async ({ client, given, terminal }) => {
    const payment = await client.payments.get(given.argument('CODE'));
    const refunds = await client.payments.listRefunds(payment.PaymentLinkCode).page();
    const events = await collect((page) => client.payments.listEvents(payment.PaymentLinkCode, page).page(), {
      max: maxEvents,
    });
    const name = [payment.firstName, payment.lastName].filter(Boolean).join(' ');
    const fields = await formatFields([
      ['Status', payment.status],
      ['Amount', money(payment.amount, payment.currency)],
      ['Refunded', money(payment.refundedAmount, payment.currency)],
      ['Order', payment.customerOrderId],
      ['Customer', [name, payment.email].filter(Boolean).join(', ')],
      ['Created', payment.createdAt],
      ['Expires', payment.expiresAt],
      ['Link', payment.PaymentLink],
    ]);
    // During an upgrade the service may still be an older one, which has none.
    const { items: lines = [] }: Partial<Payment> = payment;
    const items = await formatTable(lines, itemColumns(payment.currency), terminal.width);
    return {
      json: { ...payment, refunds: refunds.data, events: events.data },
      lines: [
        ...fields,
        '',
        ...(items.length > 0 ? [...items, ''] : []),
        ...(await formatTable(refunds.data, refundColumns, terminal.width)),
        ...(await formatTable(events.data, eventColumns, terminal.width)),
      ],
    };
  },
});

const cancel = clientCommand({
  name: 'payments cancel',
  earlierNames: ['pay cancel'],
  summary: 'Cancel an open payment; its link can no longer be paid',
  details: 'On a terminal it asks for confirmation. Without one, it needs --yes.',
  arguments: [codeArgument],
  options: [yesOption],
  examples: [`payments cancel ${exampleCode}`, `payments cancel ${exampleCode} --yes`],
  check: (given, context) => requireConfirmable(given, context, 'cancel a payment'),
  run: async (call) => {
    const { client, given } = call;
    await confirm(given, call, async () => {
      const { amount, currency, customerOrderId } = await client.payments.get(given.argument('CODE'));
      return `Cancel the payment of ${money(amount, currency)} for order ${customerOrderId}?`;
    });
    const payment = await client.payments.cancel(given.argument('CODE'));
    return { json: payment, lines: [`Order ${payment.customerOrderId} is ${payment.status}.`] };
  },
});

const open = clientCommand({
  name: 'payments open',
  earlierNames: ['pay open'],
  summary: 'Open the payment page in a browser',
  details: 'If no browser starts, the URL is printed. BROWSER names the program to start.',
  arguments: [codeArgument],
  examples: [`payments open ${exampleCode}`],
  run: async ({ client, given, env }) => {
    const { PaymentLink: link } = await client.payments.get(given.argument('CODE'));
    const isOpened = await openInBrowser(link, env);
    return {
      json: { PaymentLink: link, opened: isOpened },
      lines: [isOpened ? `Opened ${link}` : link],
      notes: isOpened ? [] : ['No browser could be started. Open this URL yourself.'],
    };
  },
});

export const paymentCommands: readonly Command[] = [create, list, get, cancel, refundPayment, open];
