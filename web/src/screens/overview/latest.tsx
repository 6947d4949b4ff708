// The latest payments, each with a link.

import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useSession } from '../../api/session.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Distance, Money, PaymentBadge } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useOverviewTexts } from './texts.ts';

type Payment = OperationResponse<'listPayments'>['data'][number];

function nameOf({ firstName, lastName, email }: Payment): string {
  return [firstName, lastName].filter(Boolean).join(' ') || email;
}

/** The mode, if it is not the current one. */
function OtherMode({ payment }: { payment: Payment }) {
  const { mode } = useSession();
  const common = useCommonTexts();
  return payment.mode === mode ? null : <Badge tone="quiet">{common[payment.mode]}</Badge>;
}

function useColumns(): Column<Payment>[] {
  const { latest } = useOverviewTexts();
  return [
    {
      id: 'order',
      title: latest.order,
      cell: ({ PaymentLinkCode, customerOrderId }) => (
        <Link href={`/payments/${PaymentLinkCode}`} class="clamp">
          <bdi>{customerOrderId}</bdi>
        </Link>
      ),
    },
    {
      id: 'customer',
      title: latest.customer,
      cell: (payment) => (
        <span class="clamp">
          <bdi>{nameOf(payment)}</bdi>
        </span>
      ),
    },
    {
      id: 'status',
      title: latest.status,
      cell: (payment) => (
        <span class="row">
          <PaymentBadge payment={payment} />
          <OtherMode payment={payment} />
        </span>
      ),
    },
    { id: 'created', title: latest.created, cell: ({ CreatedOn }) => <Distance at={CreatedOn} /> },
    {
      id: 'amount',
      title: latest.amount,
      isNumber: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ];
}

/** The latest payments, and a link to all of them. */
export function Latest({ payments }: { payments: readonly Payment[] }) {
  const texts = useOverviewTexts();
  return (
    <Section title={texts.latest.title} actions={<Link href="/payments">{texts.allPayments}</Link>}>
      <Table
        caption={texts.latest.title}
        columns={useColumns()}
        rows={payments}
        keyOf={({ PaymentLinkCode }) => PaymentLinkCode}
      />
    </Section>
  );
}
