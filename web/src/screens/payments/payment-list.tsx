// The rows of the list, their count, and what to do if there are none. A page of the API may be short while there
// are more: then the next ones are loaded until a screen is full.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { type useApiList, useMorePages } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { readStored, writeStored } from '../../base/storage.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { CheckField } from '../../parts/field.tsx';
import { EmptyState, LoadingState } from '../../parts/page.tsx';
import { type Column, PagedTable, useNamedColumns } from '../../parts/table.tsx';
import { ModeBadge, Moment, Money, PaymentBadge } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { usePaymentsTexts } from './texts.ts';

type Payment = OperationResponse<'listPayments'>['data'][number];

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

function useColumnNames() {
  const texts = usePaymentsTexts();
  return { ...texts, ...texts.columnNames };
}

function useColumns(): (Column<Payment> & { id: string })[] {
  const names = useColumnNames();
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
    created: ({ createdAt }) => <Moment at={createdAt} />,
    expires: ({ expiresAt }) => <Moment at={expiresAt} />,
    description: ({ description }) => <Clamped text={description} />,
    refunded: (payment) => <Refunded payment={payment} />,
    mode: ({ mode }) => <ModeBadge mode={mode} />,
  };
  return useNamedColumns(names, cells);
}

export function ColumnChoice({ chosen, toggle }: ReturnType<typeof useChosenColumns>) {
  const names = useColumnNames();
  return (
    <div class="column-choice">
      {columnIds.map((id) => (
        <CheckField
          key={id}
          label={names[id]}
          value={chosen.includes(id)}
          isLocked={id === 'order'}
          onInput={(isOn) => toggle(id, isOn)}
        />
      ))}
    </div>
  );
}

export const rowsPerPage = 50;
/** The maximum of short pages that load automatically. Each reads up to 2000 payments. */
const maxPages = 50;

type PaymentList = ReturnType<typeof useApiList<'listPayments'>>;

/** Loads further pages while pages are short, so that nobody has to press a button for nothing. */
function useFullPage(list: PaymentList): boolean {
  const { entries, hasNextPage, isError, data } = list;
  const isShort = hasNextPage && entries.length < rowsPerPage && (data?.pages.length ?? 0) < maxPages;
  useMorePages(list, isShort);
  return isShort && !isError;
}

function useCountText(list: PaymentList, isLoadingMore: boolean): string {
  const texts = usePaymentsTexts();
  const { entries, hasNextPage, isPending } = list;
  const count = entries.length;
  if (isPending) return '';
  if (isLoadingMore) return texts.stillSearching({ count });
  if (hasNextPage) return texts.shownMore({ count });
  return texts.shown({ count });
}

function Nothing({ isFiltering, clear }: { isFiltering: boolean; clear(): void }) {
  const texts = usePaymentsTexts();
  const { may } = useSession();
  if (isFiltering)
    return (
      <EmptyState title={texts.noneTitle} hint={texts.none}>
        <Button onClick={clear}>{texts.clearAll}</Button>
      </EmptyState>
    );
  return (
    <EmptyState title={texts.emptyTitle} hint={texts.empty}>
      {may('payments:create') && (
        <LinkButton to="/payments/new" weight="main">
          {texts.screens.newLink}
        </LinkButton>
      )}
    </EmptyState>
  );
}

type PaymentRowsProps = {
  list: PaymentList;
  chosen: ReturnType<typeof useChosenColumns>['chosen'];
  isFiltering: boolean;
  clear(): void;
  actions: ComponentChildren;
};

export function PaymentRows({ list, chosen, isFiltering, clear, actions }: PaymentRowsProps) {
  const texts = usePaymentsTexts();
  const columns = useColumns().filter(({ id }) => chosen.some((one) => one === id));
  const isLoadingMore = useFullPage(list);
  const count = useCountText(list, isLoadingMore);
  return (
    <>
      <div class="apart">
        <p class="quiet small" role="status">
          {count}
        </p>
        {actions}
      </div>
      <PagedTable
        list={{ ...list, hasNextPage: list.hasNextPage && !isLoadingMore }}
        empty={isLoadingMore ? <LoadingState /> : <Nothing isFiltering={isFiltering} clear={clear} />}
        caption={texts.screens.payments}
        columns={columns}
        keyOf={({ PaymentLinkCode }) => PaymentLinkCode}
      />
    </>
  );
}
