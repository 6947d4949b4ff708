// A payment in its API form: one shape everywhere, with the fields of the interface and our own.

import { type Currency, toMajorNumber } from '../base/money.ts';
import { type ItemTax, type PaymentItem, taxesOf } from './items.ts';
import type { PaymentResponse } from './schema.ts';
import type { Payment } from './store.ts';

/** The URL of a payment link, from configuration; never from a request. */
export function paymentLink(baseUrl: string, code: string): string {
  return `${baseUrl}/pay/${code}`;
}

/** A tax rate in percent: 1900 is 19. */
const toPercent = (rate: number) => rate / 100;

function presentItem({ name, quantity, unitAmountMinor, taxRate }: PaymentItem, currency: Currency) {
  const unitAmount = toMajorNumber(unitAmountMinor, currency);
  return { name, quantity, unitAmount, taxRate: taxRate === null ? null : toPercent(taxRate) };
}

function presentTax({ rate, grossMinor, taxMinor }: ItemTax, currency: Currency) {
  return {
    taxRate: toPercent(rate),
    grossAmount: toMajorNumber(grossMinor, currency),
    taxAmount: toMajorNumber(taxMinor, currency),
  };
}

export function presentPayment(
  payment: Payment,
  options: { baseUrl: string; message: string },
): PaymentResponse {
  return {
    country: payment.country,
    CreatedOn: payment.createdAt.toISOString(),
    currency: payment.currency,
    customerOrderId: payment.customerOrderId,
    PaymentLink: paymentLink(options.baseUrl, payment.code),
    PaymentLinkCode: payment.code,
    responseCode: '200',
    responseMessage: options.message,
    amount: toMajorNumber(payment.amountMinor, payment.currency),
    status: payment.state,
    refundedAmount: toMajorNumber(payment.refundedMinor, payment.currency),
    mode: payment.mode,
    email: payment.email,
    firstName: payment.firstName,
    lastName: payment.lastName,
    phone: payment.phone,
    success_url: payment.successUrl,
    failure_url: payment.failureUrl,
    description: payment.description,
    locale: payment.locale,
    metadata: payment.metadata,
    items: payment.items.map((item) => presentItem(item, payment.currency)),
    taxes: taxesOf(payment.items).map((tax) => presentTax(tax, payment.currency)),
    expiresAt: payment.expiresAt.toISOString(),
    version: payment.version,
  };
}
