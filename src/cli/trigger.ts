// `paylink trigger`: causes an event in the sandbox. Must not: act in live mode, or use a real card.

import { randomUUID } from 'node:crypto';
import { PaylinkConnectionError, type Payment, type Refund } from '../../sdk/src/index.ts';
import { findTestCard } from '../processors/sandbox/test-cards.ts';
import { type CliClient, clientCommand, reasonOf } from './client.ts';
import type { Command } from './command.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';

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
  throw usageError('The login is in live mode. Log in with --mode test: trigger works only in the sandbox.');
}

async function openPage(link: string, init: RequestInit = {}): Promise<string> {
  try {
    const response = await fetch(link, { redirect: 'manual', ...init });
    return await response.text();
  } catch (error) {
    const where = new Error(`${link} could not be reached (${reasonOf(error)})`);
    throw new PaylinkConnectionError('The payment page did not respond.', { cause: where });
  }
}

/** Opens the link and returns the token of its forms. */
async function readFormToken({ PaymentLink: link }: Payment): Promise<string> {
  const token = /name="form_token" value="([^"]+)"/.exec(await openPage(link))?.[1];
  if (token === undefined) throw new CommandError(exitCodes.found, `The page ${link} has no form.`);
  return token;
}

/** Opens the link and submits its form with a test card, as a browser without JavaScript would. */
async function submitPayForm(payment: Payment, number: string): Promise<void> {
  if (!findTestCard(number)) throw new Error('not a test card');
  const body = new URLSearchParams({
    form_token: await readFormToken(payment),
    cc_name: 'Ada Lovelace',
    cc_number: number,
    cc_exp: '12/39',
    cc_csc: '123',
  });
  await openPage(payment.PaymentLink, { method: 'POST', body });
}

/** Asks for a new link on the page of a payment that has ended unpaid. */
async function submitLinkRequest(payment: Payment): Promise<void> {
  const body = new URLSearchParams({ form_token: await readFormToken(payment) });
  await openPage(`${payment.PaymentLink}/request-link`, { method: 'POST', body });
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
    `The payment ${payment.PaymentLinkCode} is ${payment.status}, not ${status}.`,
  );
}

async function pay(client: CliClient): Promise<Payment> {
  return expectStatus(await payWith(client, cards.succeeds), 'paid');
}

async function fail(client: CliClient): Promise<Payment> {
  return expectStatus(await payWith(client, cards.declines), 'failed');
}

const triggers: Readonly<Record<string, (client: CliClient) => Promise<TriggerResult>>> = {
  'payment.created': async (client) => ({ payment: await createPayment(client) }),
  'payment.processing': async (client) => ({ payment: await pay(client) }),
  'payment.paid': async (client) => ({ payment: await pay(client) }),
  'payment.failed': async (client) => ({ payment: await fail(client) }),
  'payment.link_requested': async (client) => {
    const payment = await fail(client);
    await submitLinkRequest(payment);
    return { payment };
  },
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
    // The page for waiting customers queries the processor.
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

const trigger = clientCommand({
  name: 'trigger',
  summary: 'Cause an event in the sandbox',
  details: 'It creates a payment of 19.99 EUR and causes the event, with a test card.',
  arguments: [{ name: 'EVENT', help: 'the event to cause', choices: Object.keys(triggers) }],
  examples: ['trigger payment.paid', 'trigger refund.succeeded --json'],
  run: async ({ client, given }) => {
    const type = given.argument('EVENT');
    const cause = triggers[type];
    if (!cause) throw new Error(`nothing causes ${type}`);
    const { payment, refund } = await cause(client);
    const { PaymentLinkCode, PaymentLink, status } = payment;
    const what = refund ? `The refund ${refund.refundId} is ${refund.status}` : `The payment is ${status}`;
    return {
      json: { type, PaymentLinkCode, PaymentLink, status, refundId: refund?.refundId ?? null },
      lines: [`Caused ${type} for ${PaymentLinkCode}. ${what}.`],
    };
  },
});

export const triggerCommands: readonly Command[] = [trigger];
