// The columns of the list of payments, and which of them a person has chosen. The order is always shown: it links to
// the payment.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { readStored, writeStored } from '../../base/storage.ts';
import { CheckField } from '../../parts/field.tsx';
import type { Column } from '../../parts/table.tsx';
import { ModeBadge, Moment, Money, PaymentBadge } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { usePaymentsTexts } from './texts.ts';

export type Payment = OperationResponse<'listPayments'>['data'][number];

const columnIds = [
  'order',
  'amount',
  'state',
  'customer',
  'email',
  'created',
  'expires',
  'description',
  'refunded',
  'mode',
] as const;
type ColumnId = (typeof columnIds)[number];

const defaultColumns: readonly ColumnId[] = ['order', 'amount', 'state', 'customer', 'email', 'created'];
const storedAs = 'payments.columns';

function readChosen(): readonly ColumnId[] {
  const names = readStored(storedAs)?.split(' ');
  return names ? columnIds.filter((id) => id === 'order' || names.includes(id)) : defaultColumns;
}

/** The visible columns, and how to choose them; this browser stores the choice. */
export function useChosenColumns() {
  const [chosen, setChosen] = useState(readChosen);
  const toggle = (id: ColumnId, isOn: boolean) => {
    const next = columnIds.filter((one) => (one === id ? isOn : chosen.includes(one)));
    writeStored(storedAs, next.join(' '));
    setChosen(next);
  };
  return { chosen, toggle };
}

const nameOf = ({ firstName, lastName }: Payment) => [firstName, lastName].filter(Boolean).join(' ');

function Clamped({ text }: { text: string | null }) {
  const { none } = useCommonTexts();
  return text ? <bdi class="clamp">{text}</bdi> : <span class="quiet">{none}</span>;
}

function Refunded({ payment }: { payment: Payment }) {
  const { none } = useCommonTexts();
  const { refundedAmount, currency } = payment;
  if (refundedAmount === 0) return <span class="quiet">{none}</span>;
  return <Money amount={refundedAmount} currency={currency} />;
}

/** All columns, in their order. */
export function useColumns(): readonly (Column<Payment> & { id: ColumnId })[] {
  const { columnNames: titles } = usePaymentsTexts();
  const cells: Record<ColumnId, Column<Payment>['cell']> = {
    order: ({ PaymentLinkCode, customerOrderId }) => (
      <Link href={`/payments/${PaymentLinkCode}`} class="row-link">
        <bdi class="clamp">{customerOrderId}</bdi>
      </Link>
    ),
    amount: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    state: (payment) => <PaymentBadge payment={payment} />,
    customer: (payment) => <Clamped text={nameOf(payment)} />,
    email: ({ email }) => <Clamped text={email} />,
    created: ({ CreatedOn }) => <Moment at={CreatedOn} />,
    expires: ({ expiresAt }) => <Moment at={expiresAt} />,
    description: ({ description }) => <Clamped text={description} />,
    refunded: (payment) => <Refunded payment={payment} />,
    mode: ({ mode }) => <ModeBadge mode={mode} />,
  };
  return columnIds.map((id) => ({
    id,
    title: titles[id],
    cell: cells[id],
    isNumber: id === 'amount' || id === 'refunded',
  }));
}

/** Checkboxes, one for each column. */
export function ColumnChoice({ chosen, toggle }: ReturnType<typeof useChosenColumns>) {
  const { columnNames } = usePaymentsTexts();
  return (
    <div class="column-choice">
      {columnIds.map((id) => (
        <CheckField
          key={id}
          label={columnNames[id]}
          value={chosen.includes(id)}
          isLocked={id === 'order'}
          onInput={(isOn) => toggle(id, isOn)}
        />
      ))}
    </div>
  );
}
