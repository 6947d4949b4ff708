// Pays a link with a test card of the sandbox, as the page of the link does: reserve, ask, record. Must not: use another
// processor, or another card.

import { pay } from '../attempts/pay.ts';
import type { PaymentWithAttempt } from '../attempts/pay-order.ts';
import { type PaymentView, type ViewDeps, viewPayment } from '../attempts/view-payment.ts';
import { errors } from '../base/errors.ts';
import type { PaymentMethod } from '../connections/list-methods.ts';
import type { TenantScope } from '../db/database.ts';
import type { PayDeps } from '../payments/deps.ts';
import { parseCard } from '../processors/card.ts';

export type TestOrder = TenantScope & { code: string; actor: string };

/** The payment of an order with everything about it. Throws `payment_not_found`. */
export async function requireView(deps: ViewDeps, order: TestOrder): Promise<PaymentView> {
  const view = await viewPayment(deps, order);
  if (!view) throw errors.paymentNotFound();
  return view;
}

/** Throws `payment_in_progress` or `payment_ended` unless the payment is open. */
export function requireOpen({ payment }: Pick<PaymentView, 'payment'>): void {
  if (payment.state === 'processing') throw errors.paymentInProgress();
  if (payment.state !== 'open')
    throw errors.paymentEnded({ detail: `The payment is ${payment.state}. Create another one.` });
}

/** Pays with a method of the page. Throws unless the payment is open and offers one. */
export async function payByMethod(
  deps: PayDeps,
  order: TestOrder,
  { processor, card }: { processor: string; card: string | null },
): Promise<PaymentWithAttempt> {
  const view = await requireView(deps, order);
  requireOpen(view);
  const method: PaymentMethod | undefined = view.methods.find(({ kind }) => kind.name === processor);
  if (!method)
    throw errors.stateNotReachable({
      detail: `The page of this payment does not offer ${processor}. Add a connection in test mode that takes ${view.payment.currency}, and enable it.`,
    });
  const form = { name: 'Ada Lovelace', number: card ?? '', expiry: '12/39', csc: '123' };
  const read = card === null ? { card: null } : parseCard(form, deps.clock.now());
  if ('faults' in read) throw new Error('a test card is not valid');
  const paid = await pay(deps, {
    ...order,
    ...{ merchant: view.company, method, card: read.card, locale: 'en', pageLocale: null },
  });
  if (!paid) throw errors.paymentNotFound();
  return paid;
}

/** Pays with a test card. */
export async function payWithTestCard(deps: PayDeps, order: TestOrder, number: string): Promise<void> {
  await payByMethod(deps, order, { processor: 'sandbox', card: number });
}
