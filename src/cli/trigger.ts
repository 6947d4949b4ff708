// `paylink trigger`: makes an event truly happen in the sandbox, by the API and the hosted page, as a
// merchant and a customer would. It must never touch live mode, nor type in any card but a test card.

import { randomUUID } from 'node:crypto';
import { PaylinkConnectionError, type Payment, type Refund } from '../../sdk/src/index.ts';
import { findTestCard } from '../processors/sandbox/test-cards.ts';
import { type CliClient, openClient, reasonOf } from './client.ts';
import type { Command } from './command.ts';
import { CommandError, exitCodes, usageError } from './fault.ts';
import { profileOption } from './session.ts';
import { stripControlCharacters } from './terminal.ts';

/** What is known of a payment when its event has happened. */
type TriggerResult = { payment: Payment; refund?: Refund };

async function createPayment(client: CliClient): Promise<Payment> {
  const { url } = client;
  const payment = await client.payments.create({
    customerOrderId: `trigger-${randomUUID()}`,
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    amount: 19.99,
    currency: 'EUR',
    description: 'Made by paylink trigger',
    success_url: `${url}/sandbox/shop/success`,
    failure_url: `${url}/sandbox/shop/failure`,
  });
  if (payment.mode === 'test') return payment;
  await client.payments.cancel(payment.PaymentLinkCode);
  throw usageError('This login is for real money: trigger works in the sandbox only.');
}

async function openPage(link: string, init: RequestInit = {}): Promise<string> {
  try {
    const response = await fetch(link, { redirect: 'manual', ...init });
    return await response.text();
  } catch (error) {
    const where = new Error(`${link} could not be reached (${reasonOf(error)})`);
    throw new PaylinkConnectionError('The page of the payment gave no answer.', { cause: where });
  }
}

/** Opens the link, fills its form with a test card and sends it, as a browser without script would. */
async function submitPayForm({ PaymentLink: link }: Payment, number: string): Promise<void> {
  if (!findTestCard(number)) throw new Error('this is no test card');
  const page = await openPage(link);
  const token = /name="form_token" value="([^"]+)"/.exec(page)?.[1];
  if (token === undefined) throw new CommandError(exitCodes.found, `There is no card form at ${link}.`);
  const body = new URLSearchParams({
    form_token: token,
    cc_name: 'Ada Lovelace',
    cc_number: number,
    // Any later year will do.
    cc_exp: '12/39',
    cc_csc: '123',
  });
  await openPage(link, { method: 'POST', body });
}

const cards = {
  succeeds: '4242424242424242',
  declines: '4000000000000002',
  losesTheAnswer: '4000000000009011',
} as const;

async function payWith(client: CliClient, number: string): Promise<Payment> {
  const payment = await createPayment(client);
  await submitPayForm(payment, number);
  return await client.payments.get(payment.PaymentLinkCode);
}

function expectStatus(payment: Payment, status: string): Payment {
  if (payment.status === status) return payment;
  throw new CommandError(
    exitCodes.found,
    `The payment ${payment.PaymentLinkCode} is ${payment.status} and not ${status}.`,
  );
}

async function pay(client: CliClient): Promise<Payment> {
  return expectStatus(await payWith(client, cards.succeeds), 'paid');
}

/** Each event that can truly be caused, and how. */
const causes: Readonly<Record<string, (client: CliClient) => Promise<TriggerResult>>> = {
  'payment.created': async (client) => ({ payment: await createPayment(client) }),
  'payment.processing': async (client) => ({ payment: await pay(client) }),
  'payment.paid': async (client) => ({ payment: await pay(client) }),
  'payment.failed': async (client) => ({
    payment: expectStatus(await payWith(client, cards.declines), 'failed'),
  }),
  'payment.cancelled': async (client) => {
    const { PaymentLinkCode: code } = await createPayment(client);
    const payment = await client.payments.cancel(code);
    return { payment: expectStatus(payment, 'cancelled') };
  },
  'attempt.unknown': async (client) => ({
    payment: expectStatus(await payWith(client, cards.losesTheAnswer), 'processing'),
  }),
  'attempt.resolved': async (client) => {
    const { PaymentLinkCode: code, PaymentLink: link } = await payWith(client, cards.losesTheAnswer);
    // The page on which a customer waits asks the processor.
    await openPage(`${link}/wait`);
    return { payment: expectStatus(await client.payments.get(code), 'paid') };
  },
  'refund.succeeded': async (client) => {
    const payment = await pay(client);
    const refund = await client.payments.refund(payment.PaymentLinkCode);
    if (refund.status !== 'succeeded')
      throw new CommandError(exitCodes.found, `The refund ${refund.refundId} is ${refund.status}.`);
    return { payment, refund };
  },
};

const trigger: Command = {
  name: 'trigger',
  summary: 'Make an event happen in the sandbox',
  details: 'It makes a payment of 19.99 EUR of its own and does what leads to the event, with test cards.',
  arguments: [{ name: 'EVENT', help: 'which', isRequired: true, choices: Object.keys(causes) }],
  options: [profileOption],
  examples: ['trigger payment.paid', 'trigger refund.succeeded --json'],
  run: async (context, given) => {
    const type = given.argument('EVENT');
    const cause = causes[type];
    if (!cause) throw new Error(`nothing causes ${type}`);
    const { payment, refund } = await cause(await openClient(context, given));
    const { PaymentLinkCode, PaymentLink, status } = payment;
    const what = refund ? `refund ${refund.refundId} ${refund.status}` : `now ${status}`;
    context.terminal.report({
      json: { type, PaymentLinkCode, PaymentLink, status, refundId: refund?.refundId ?? null },
      lines: [stripControlCharacters(`${type} happened to ${PaymentLinkCode}: ${what}.`)],
    });
    return exitCodes.ok;
  },
};

export const triggerCommands: readonly Command[] = [trigger];
