// The refunded amount of a payment, and the status of each refund.

import type { useApiQuery } from '../../api/queries.ts';
import { formatMoney } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { Section } from '../../parts/page.tsx';
import { QueryContent } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Moment, Money, type Tone } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import type { Refund } from './money-left.ts';
import { usePaymentTexts } from './texts.ts';

const tones: Record<Refund['status'], Tone> = {
  created: 'busy',
  processing: 'busy',
  unknown: 'busy',
  succeeded: 'good',
  failed: 'bad',
};

function Reason({ refund }: { refund: Refund }) {
  const { overpayment } = usePaymentTexts();
  const { none } = useCommonTexts();
  const { kind, reason, failureCode } = refund;
  return (
    <span>
      {kind === 'surplus' ? overpayment : <LongText text={reason ?? none} />}
      {failureCode && <span class="mono"> {failureCode}</span>}
    </span>
  );
}

function useRefundColumns(): readonly Column<Refund>[] {
  const { refundColumns: titles, refundStates } = usePaymentTexts();
  return [
    {
      id: 'amount',
      title: titles.amount,
      isNumber: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      id: 'status',
      title: titles.status,
      cell: ({ status }) => <Badge tone={tones[status]}>{refundStates[status]}</Badge>,
    },
    { id: 'at', title: titles.at, cell: ({ CreatedOn }) => <Moment at={CreatedOn} /> },
    { id: 'reason', title: titles.reason, cell: (refund) => <Reason refund={refund} /> },
  ];
}

type RefundsProps = {
  payment: { refundedAmount: number; currency: string };
  refunds: ReturnType<typeof useApiQuery<'listRefunds'>>;
  left: number;
};

/** The refunds of a payment that was paid, or whose overpayment was refunded. */
export function Refunds({ payment, refunds, left }: RefundsProps) {
  const texts = usePaymentTexts();
  const { language } = useLanguage();
  const columns = useRefundColumns();
  const money = (amount: number) => formatMoney(language, amount, payment.currency);
  const { refundedAmount } = payment;
  return (
    <Section
      title={texts.refunds}
      hint={refundedAmount > 0 ? texts.refundedOf(money(refundedAmount), money(left)) : undefined}
    >
      <QueryContent result={refunds} rows={1}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{texts.noRefunds}</p>
          ) : (
            <Table caption={texts.refunds} columns={columns} rows={data} keyOf={({ refundId }) => refundId} />
          )
        }
      </QueryContent>
    </Section>
  );
}
