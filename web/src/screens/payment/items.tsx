// What a payment is for, line by line, and the tax in it. The API computes all amounts.

import type { OperationResponse } from '../../api/call.ts';
import { formatMoney, formatTaxRate } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Facts } from '../../parts/page.tsx';
import { LongText } from '../../parts/values.tsx';
import { usePaymentTexts } from './texts.ts';

type Payment = OperationResponse<'getPayment'>;

const maxOpen = 6;

export function Items({ payment }: { payment: Payment }) {
  const texts = usePaymentTexts();
  const { language } = useLanguage();
  const { currency } = payment;
  // During an upgrade the service may still be an older one, which has neither.
  const { items = [], taxes = [] }: Partial<Payment> = payment;
  if (items.length === 0) return null;
  const money = (amount: number) => formatMoney(language, amount, currency);
  return (
    <details open={items.length <= maxOpen}>
      <summary class="strong">{texts.items({ count: items.length })}</summary>
      <Facts
        class="payment-details"
        items={[
          ...items.map(
            ({ name, quantity, unitAmount }, index) =>
              [<LongText key={index} text={name} />, `${quantity} × ${money(unitAmount)}`] as const,
          ),
          ...taxes.map(
            ({ taxRate, taxAmount }) =>
              [texts.includedTax({ rate: formatTaxRate(language, taxRate) }), money(taxAmount)] as const,
          ),
        ]}
      />
    </details>
  );
}
