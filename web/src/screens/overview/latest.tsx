// The latest payments, each with a link.

import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useSession } from '../../api/session.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Distance, ModeBadge, Money, PaymentBadge } from '../../parts/values.tsx';
import { useOverviewTexts } from './texts.ts';

type Payment = OperationResponse<'listPayments'>['data'][number];

function nameOf({ firstName, lastName, email }: Payment): string {
  return [firstName, lastName].filter(Boolean).join(' ') || email;
}

function useColumns(): Column<Payment>[] {
  const { latest } = useOverviewTexts();
  const { mode } = useSession();
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
      cell: (payment) => <bdi class="clamp">{nameOf(payment)}</bdi>,
    },
    {
      id: 'status',
      title: latest.status,
      cell: (payment) => (
        <span class="row">
          <PaymentBadge payment={payment} />
          {payment.mode !== mode && <ModeBadge mode={payment.mode} />}
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
