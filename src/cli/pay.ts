// `paylink pay …`: what a merchant does with payments, each a call of the public API. It must never ask
// twice for money to go back: a refund carries one idempotency key.

import { randomUUID } from 'node:crypto';
import type { Page, PaylinkEvent, Payment, PaymentQuery, PaymentRequest } from '../../sdk/src/index.ts';
import { systemClock } from '../base/clock.ts';
import { currencies, isCurrency, isSameDecimal } from '../base/money.ts';
import { openInBrowser } from './browser.ts';
import { type CliClient, collect, openClient } from './client.ts';
import type { Command, CommandContext, ParsedArguments } from './command.ts';
import { CommandError, exitCodes, usageError } from './fault.ts';
import { drawQr } from './qr.ts';
import { profileOption } from './session.ts';
import { formatFields, formatTable } from './table.ts';
import { stripControlCharacters } from './terminal.ts';

const code = { name: 'CODE', help: 'the PaymentLinkCode', isRequired: true } as const;

/** An amount as the number of the API. Refused when a number cannot hold it exactly. */
function readAmount(name: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && isSameDecimal(text, String(Number(text)))) return Number(text);
  throw usageError(`--${name} must be an amount like 19.99, not "${text}".`);
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A moment as it was given, or that many minutes, hours or days from now. */
function readMoment(text: string): string {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count === undefined) return text;
  return new Date(systemClock.now().getTime() + Number(count) * (unitsMs[unit] ?? 0)).toISOString();
}

function readMetadata(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? [];
      if (name === undefined || value === undefined)
        throw usageError(`--metadata must be like name=value, not "${pair}".`);
      return [name, value];
    }),
  );
}

/** The options of `pay create` that go into the request as they are, and the fields they fill. */
const requestFields = {
  'first-name': 'firstName',
  'last-name': 'lastName',
  phone: 'phone',
  description: 'description',
  locale: 'locale',
} as const;

function toRequest(given: ParsedArguments, url: string): PaymentRequest {
  const fields = Object.entries(requestFields).flatMap(([option, field]) => {
    const text = given.text(option);
    return text === undefined ? [] : [[field, text] as const];
  });
  const expires = given.text('expires');
  const currency = given.required('currency');
  if (!isCurrency(currency)) throw usageError(`--currency cannot be "${currency}".`);
  return {
    ...Object.fromEntries(fields),
    email: given.required('email'),
    currency,
    amount: readAmount('amount', given.required('amount')),
    customerOrderId: given.text('order') ?? randomUUID(),
    success_url: given.text('success-url') ?? `${url}/sandbox/shop/success`,
    failure_url: given.text('failure-url') ?? `${url}/sandbox/shop/failure`,
    ...(expires === undefined ? {} : { expiresAt: readMoment(expires) }),
    ...(given.has('metadata') ? { metadata: readMetadata(given.texts('metadata')) } : {}),
  };
}

export const money = (amount: number, currency: string) =>
  new Intl.NumberFormat('en', { minimumFractionDigits: 2, useGrouping: false }).format(amount) +
  ` ${currency}`;

const create: Command = {
  name: 'pay create',
  summary: 'Make a payment link; prints it, and its QR code',
  details:
    'The link alone goes to standard output, everything else to standard error.\n' +
    'Without addresses the customer comes back to the demo shop of the sandbox.',
  options: [
    { name: 'amount', value: 'AMOUNT', help: 'in major units, such as 19.99', isRequired: true },
    { name: 'currency', value: 'CODE', help: 'ISO 4217', isRequired: true, choices: currencies },
    { name: 'email', value: 'EMAIL', help: "the customer's address", isRequired: true },
    { name: 'order', value: 'ID', help: 'your reference for the order; without it a UUID is made' },
    { name: 'success-url', value: 'URL', help: 'where a paid customer goes' },
    { name: 'failure-url', value: 'URL', help: 'where a customer goes who has not paid' },
    { name: 'description', value: 'TEXT', help: 'what is paid for; the customer sees it' },
    { name: 'first-name', value: 'NAME', help: "the customer's first name" },
    { name: 'last-name', value: 'NAME', help: "the customer's last name" },
    { name: 'phone', value: 'NUMBER', help: "the customer's phone number" },
    { name: 'locale', value: 'TAG', help: 'language of the page, such as de' },
    { name: 'expires', value: 'WHEN', help: 'when the link ends: 2030-01-31T12:00:00Z, or 30m, 12h, 7d' },
    { name: 'metadata', value: 'NAME=VALUE', help: 'an entry of your own', isRepeatable: true },
    { name: 'no-qr', help: 'print no QR code' },
    profileOption,
  ],
  examples: [
    'pay create --amount 19.99 --currency EUR --email ada@example.com',
    'pay create --amount 42 --currency USD --email ada@example.com --order 1001 --expires 12h --metadata cart=7',
  ],
  run: async (context, given) => {
    const { terminal } = context;
    // What does not pass is told before anybody is asked for a login.
    readAmount('amount', given.required('amount'));
    readMetadata(given.texts('metadata'));
    const client = await openClient(context, given);
    const payment = await client.payments.create(toRequest(given, client.url));
    terminal.report({ json: payment, lines: [stripControlCharacters(payment.PaymentLink)] });
    if (terminal.isJson) return exitCodes.ok;
    const { PaymentLinkCode, amount, currency, customerOrderId, expiresAt } = payment;
    terminal.note(
      stripControlCharacters(
        `${money(amount, currency)} for order ${customerOrderId}, open until ${expiresAt}. Code: ${PaymentLinkCode}`,
      ),
    );
    if (!given.has('no-qr')) terminal.note(drawQr(payment.PaymentLink, terminal).join('\n'));
    return exitCodes.ok;
  },
};

/** The filters of the list, and the parameters they fill. */
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

function readLimit(given: ParsedArguments): number {
  const text = given.text('limit') ?? '25';
  if (/^\d{1,6}$/.test(text) && Number(text) > 0) return Number(text);
  throw usageError(`--limit must be a whole number above 0, not "${text}".`);
}

/** The payments that pass the filters, as far as they are wanted. */
async function findPayments(client: CliClient, given: ParsedArguments): Promise<Page<Payment>> {
  // The choices of the table are those of the API; all else is text that the service reads.
  const query: PaymentQuery = Object.fromEntries(
    Object.entries(filters).map(([option, parameter]) => [parameter, given.text(option)]),
  );
  return await collect((page) => client.payments.list({ ...query, ...page }).page(), {
    most: readLimit(given),
    cursor: given.text('cursor'),
  });
}

const list: Command = {
  name: 'pay list',
  summary: 'List payments, the newest first',
  options: [
    {
      name: 'status',
      value: 'STATE',
      help: 'only of this state',
      choices: ['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'],
    },
    { name: 'order', value: 'ID', help: 'only of this order; with * at its end, of orders that begin so' },
    {
      name: 'email',
      value: 'EMAIL',
      help: 'only of this customer; with * at its end, of addresses that begin so',
    },
    { name: 'text', value: 'TEXT', help: 'whose order, address or name begins so' },
    { name: 'min-amount', value: 'AMOUNT', help: 'of at least this amount' },
    { name: 'max-amount', value: 'AMOUNT', help: 'of at most this amount' },
    { name: 'currency', value: 'CODE', help: 'only in this currency', choices: currencies },
    { name: 'from', value: 'TIME', help: 'created at this moment or later' },
    { name: 'to', value: 'TIME', help: 'created before this moment' },
    { name: 'sort', value: 'FIELD', help: 'the order', choices: ['-CreatedOn', 'CreatedOn'] },
    { name: 'limit', value: 'COUNT', help: 'how many; 25 without it' },
    { name: 'cursor', value: 'CURSOR', help: 'where an earlier list ended' },
    profileOption,
  ],
  examples: [
    'pay list --status paid --limit 10',
    "pay list --email 'ada@*' --from 2026-11-01T00:00:00Z --json",
  ],
  run: async (context, given) => {
    const { terminal } = context;
    readLimit(given);
    const page = await findPayments(await openClient(context, given), given);
    const rows = page.data.map((payment) => [
      payment.CreatedOn.slice(0, 16).replace('T', ' '),
      payment.status,
      money(payment.amount, payment.currency),
      payment.customerOrderId,
      payment.email,
      payment.PaymentLinkCode,
    ]);
    const columns = [
      { title: 'CREATED' },
      { title: 'STATUS' },
      { title: 'AMOUNT', isRight: true },
      { title: 'ORDER', mayShrink: true },
      { title: 'EMAIL', mayShrink: true },
      { title: 'CODE' },
    ];
    const lines = await formatTable(columns, rows, terminal.width);
    terminal.report({ json: page, lines: rows.length > 0 ? lines : ['No payments.'] });
    if (page.nextCursor && !terminal.isJson) terminal.note(`There are more: --cursor ${page.nextCursor}`);
    return exitCodes.ok;
  },
};

const mostEvents = 1000;

const describeEvent = ({ createdAt, type, actor }: PaylinkEvent) => [createdAt, type, actor];

const show: Command = {
  name: 'pay show',
  summary: 'Show a payment, its refunds and what happened to it',
  arguments: [code],
  options: [profileOption],
  examples: ['pay show yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE', 'pay show yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE --json'],
  run: async (context, given) => {
    const { terminal } = context;
    const client = await openClient(context, given);
    const payment = await client.payments.get(given.argument('CODE'));
    const refunds = await client.payments.listRefunds(given.argument('CODE')).page();
    const events = await collect((page) => client.payments.listEvents(payment.PaymentLinkCode, page).page(), {
      most: mostEvents,
    });
    const name = [payment.firstName, payment.lastName].filter(Boolean).join(' ');
    const fields: [string, string][] = [
      ['Status', payment.status],
      ['Amount', money(payment.amount, payment.currency)],
      ['Given back', money(payment.refundedAmount, payment.currency)],
      ['Order', payment.customerOrderId],
      ['Customer', [name, payment.email].filter(Boolean).join(', ')],
      ['Created', payment.CreatedOn],
      ['Expires', payment.expiresAt],
      ['Link', payment.PaymentLink],
    ];
    const refundRows = refunds.data.map((refund) => [
      refund.CreatedOn,
      `refund ${refund.status}`,
      money(refund.amount, refund.currency),
      refund.refundId,
    ]);
    const bare = [{ title: '' }, { title: '' }, { title: '' }, { title: '' }];
    terminal.report({
      json: { ...payment, refunds: refunds.data, events: events.data },
      lines: [
        ...(await formatFields(fields)),
        '',
        ...(await formatTable(bare, refundRows, terminal.width)).slice(1),
        ...(await formatTable(bare.slice(1), events.data.map(describeEvent), terminal.width)).slice(1),
      ],
    });
    return exitCodes.ok;
  },
};

const cancel: Command = {
  name: 'pay cancel',
  summary: 'Cancel an open payment: its link takes no card any more',
  arguments: [code],
  options: [profileOption],
  examples: ['pay cancel yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE'],
  run: async (context, given) => {
    const client = await openClient(context, given);
    const payment = await client.payments.cancel(given.argument('CODE'));
    context.terminal.report({
      json: payment,
      lines: [stripControlCharacters(`Order ${payment.customerOrderId} is ${payment.status}.`)],
    });
    return exitCodes.ok;
  },
};

async function confirmRefund(
  { terminal }: CommandContext,
  given: ParsedArguments,
  client: CliClient,
): Promise<void> {
  if (given.has('yes') || !terminal.isInteractive) return;
  const payment = await client.payments.get(given.argument('CODE'));
  const amount = given.text('amount');
  const how = amount === undefined ? 'all that is left' : `${amount} ${payment.currency}`;
  const of = `${money(payment.amount, payment.currency)} of order ${payment.customerOrderId}`;
  const response = await terminal.ask(stripControlCharacters(`Give back ${how} of ${of}? [y/N] `));
  if (!/^y(es)?$/i.test(response)) throw new CommandError(exitCodes.found, 'Nothing was given back.');
}

const refund: Command = {
  name: 'pay refund',
  summary: 'Give a paid payment back, in part or in full',
  details:
    'On a terminal it asks first. To repeat a command whose end you did not see, give the same\n' +
    '--idempotency-key again: the money goes back once.',
  arguments: [code],
  options: [
    { name: 'amount', value: 'AMOUNT', help: 'in major units; without it, all that is left' },
    {
      name: 'expected-remaining',
      value: 'AMOUNT',
      help: 'refuse when another amount is left to be given back',
    },
    { name: 'reason', value: 'TEXT', help: 'for your own records' },
    { name: 'idempotency-key', value: 'KEY', help: 'made anew without it, and printed' },
    { name: 'yes', help: 'do not ask' },
    profileOption,
  ],
  examples: [
    'pay refund yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE --yes',
    'pay refund yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE --amount 5 --expected-remaining 19.99 --reason "one cup broke"',
  ],
  run: async (context, given) => {
    const { terminal } = context;
    const amounts = { amount: 'amount', 'expected-remaining': 'expectedRemaining' };
    const body = Object.fromEntries(
      Object.entries(amounts).flatMap(([option, field]) => {
        const text = given.text(option);
        return text === undefined ? [] : [[field, readAmount(option, text)] as const];
      }),
    );
    const reason = given.text('reason');
    const client = await openClient(context, given);
    await confirmRefund(context, given, client);
    const idempotencyKey = given.text('idempotency-key') ?? randomUUID();
    terminal.note(`Idempotency-Key: ${stripControlCharacters(idempotencyKey)}`);
    const created = await client.payments.refund(
      given.argument('CODE'),
      { ...body, ...(reason === undefined ? {} : { reason }) },
      { idempotencyKey },
    );
    const isRefused = created.status === 'failed';
    terminal.report({
      json: created,
      lines: [
        `${created.refundId}: ${money(created.amount, created.currency)} ${created.status}` +
          (created.failureCode ? stripControlCharacters(`, the processor says: ${created.failureCode}`) : ''),
      ],
    });
    return isRefused ? exitCodes.found : exitCodes.ok;
  },
};

const open: Command = {
  name: 'pay open',
  summary: 'Open the page of a payment in the browser',
  details: 'Where no browser can be started, the address is printed. BROWSER names one.',
  arguments: [code],
  options: [profileOption],
  examples: ['pay open yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE'],
  run: async (context, given) => {
    const client = await openClient(context, given);
    const { PaymentLink: link } = await client.payments.get(given.argument('CODE'));
    const isOpened = await openInBrowser(link, context.env);
    const line = isOpened ? `Opened ${link}` : link;
    if (!isOpened) context.terminal.note('No browser could be started; this is the address:');
    context.terminal.report({
      json: { PaymentLink: link, opened: isOpened },
      lines: [stripControlCharacters(line)],
    });
    return exitCodes.ok;
  },
};

export const payCommands: readonly Command[] = [create, list, show, cancel, refund, open];
