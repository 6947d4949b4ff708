// Refunds: `paylink payments refund`, and `paylink refunds …`. Must not: refund twice; a refund has one idempotency key.

import { randomUUID } from 'node:crypto';
import type { Refund } from '../../sdk/src/index.ts';
import { money, readAmounts } from './amounts.ts';
import { type ClientCall, type CommandResult, clientCommand } from './client.ts';
import {
  type Command,
  type CommandContext,
  fieldsOf,
  type OptionSpec,
  type ParsedArguments,
} from './command.ts';
import { exitCodes } from './command-error.ts';
import { confirm, requireConfirmable, yesOption } from './confirm.ts';
import { type Column, formatTable } from './table.ts';
import { stripControlCharacters } from './terminal.ts';

export const codeArgument = { name: 'CODE', help: 'the PaymentLinkCode' };
export const exampleCode = 'yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE';

const amountOptions = { amount: 'amount', 'expected-remaining': 'expectedRemaining' } as const;

const readRefund = (given: ParsedArguments) => ({
  ...readAmounts(given, amountOptions),
  ...fieldsOf(given, { reason: 'reason' }),
});

function checkRefund(given: ParsedArguments, context: CommandContext): void {
  readRefund(given);
  requireConfirmable(given, context, 'refund a payment');
}

async function describeRefund({ client, given }: ClientCall, code: string): Promise<string> {
  const { amount, currency, customerOrderId } = await client.payments.get(code);
  const { amount: wanted } = readAmounts(given, amountOptions);
  const part = wanted === undefined ? 'the rest' : money(wanted, currency);
  return `Refund ${part} of ${money(amount, currency)} of order ${customerOrderId}?`;
}

async function createRefund(call: ClientCall, code: string): Promise<CommandResult> {
  const { client, given, terminal } = call;
  await confirm(given, call, async () => await describeRefund(call, code));
  const idempotencyKey = given.text('idempotency-key') ?? randomUUID();
  terminal.note(`Idempotency-Key: ${stripControlCharacters(idempotencyKey)}`);
  const created = await client.payments.refund(code, readRefund(given), { idempotencyKey });
  const { refundId, amount, currency, status, failureCode } = created;
  const reason = failureCode ? `, the processor's reason: ${failureCode}` : '';
  return {
    json: created,
    lines: [`${refundId}: ${money(amount, currency)} ${status}${reason}`],
    exitCode: status === 'failed' ? exitCodes.found : exitCodes.ok,
  };
}

const refundOptions: readonly OptionSpec[] = [
  { name: 'amount', value: 'AMOUNT', help: 'in major units; default: the amount that is left' },
  { name: 'expected-remaining', value: 'AMOUNT', help: 'fail if another amount is left to refund' },
  { name: 'reason', value: 'TEXT', help: 'for your own records' },
  { name: 'idempotency-key', value: 'KEY', help: 'default: a new key, which is printed' },
  yesOption,
];
const refundDetails =
  'On a terminal it asks for confirmation. Without one, it needs --yes. If you do not see the result, repeat the\n' +
  'command with the same --idempotency-key: the money is refunded once.';

/** A row of `payments …`. */
export const refundPayment: Command = clientCommand({
  name: 'payments refund',
  earlierNames: ['pay refund'],
  summary: 'Refund a payment, in part or in full',
  details: refundDetails,
  arguments: [codeArgument],
  options: refundOptions,
  examples: [
    `payments refund ${exampleCode} --yes`,
    `payments refund ${exampleCode} --amount 5 --expected-remaining 19.99 --reason "one cup broke"`,
  ],
  check: checkRefund,
  run: async (call) => await createRefund(call, call.given.argument('CODE')),
});

export const refundColumns: readonly Column<Refund>[] = [
  { title: '', text: ({ CreatedOn }) => CreatedOn },
  { title: '', text: ({ status }) => `refund ${status}` },
  { title: '', text: ({ amount, currency }) => money(amount, currency) },
  { title: '', text: ({ refundId }) => refundId },
];

const listColumns: readonly Column<Refund>[] = [
  { title: 'CREATED', text: ({ CreatedOn }) => CreatedOn.slice(0, 16).replace('T', ' ') },
  { title: 'STATUS', text: ({ status }) => status },
  { title: 'AMOUNT', isRight: true, text: ({ amount, currency }) => money(amount, currency) },
  { title: 'REASON', isShrinkable: true, text: ({ reason, failureCode }) => reason ?? failureCode ?? '' },
  { title: 'REFUND_ID', text: ({ refundId }) => refundId },
];

const paymentOption: OptionSpec = {
  name: 'payment',
  value: 'CODE',
  help: 'the PaymentLinkCode of the payment',
  isRequired: true,
};

const list = clientCommand({
  name: 'refunds list',
  summary: 'List the refunds of a payment, oldest first',
  options: [paymentOption],
  examples: [`refunds list --payment ${exampleCode}`, `refunds list --payment ${exampleCode} --json`],
  run: async ({ client, given, terminal }) => {
    const page = await client.payments.listRefunds(given.required('payment')).page();
    const lines = await formatTable(page.data, listColumns, terminal.width);
    return { json: page, lines: page.data.length > 0 ? lines : ['No refunds.'] };
  },
});

const create = clientCommand({
  name: 'refunds create',
  summary: 'Refund a payment, in part or in full, as "payments refund" does',
  details: refundDetails,
  options: [paymentOption, ...refundOptions],
  examples: [`refunds create --payment ${exampleCode} --amount 5 --yes`],
  check: checkRefund,
  run: async (call) => await createRefund(call, call.given.required('payment')),
});

export const refundCommands: readonly Command[] = [list, create];
