// The entries of the ledger by pages, newest first by default. Days and order are stored in the URL.

import type { OperationResponse } from '../../api/call.ts';
import { useApiList } from '../../api/queries.ts';
import { endOfDay, startOfDay } from '../../base/days.ts';
import { useUrlState } from '../../base/url-state.ts';
import { Button } from '../../parts/button.tsx';
import { DayRange } from '../../parts/day-range.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { PaymentLink } from '../../parts/payment-link.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { Moment, Money } from '../../parts/values.tsx';
import { useBalancesTexts } from './texts.ts';

type Entry = OperationResponse<'listLedgerEntries'>['data'][number];
const orders = ['-CreatedOn', 'CreatedOn'] as const;

function useColumns(): Column<Entry>[] {
  const texts = useBalancesTexts();
  return [
    { id: 'when', title: texts.when, cell: ({ CreatedOn }) => <Moment at={CreatedOn} /> },
    {
      id: 'what',
      title: texts.what,
      cell: ({ kind, debitAccount, creditAccount }) => (
        <span class="stacked">
          <span>{texts.kinds[kind]}</span>
          <span class="quiet small">
            {texts.sides(texts.accounts[debitAccount], texts.accounts[creditAccount])}
          </span>
        </span>
      ),
    },
    {
      id: 'payment',
      title: texts.payment,
      cell: ({ PaymentLinkCode }) => <PaymentLink code={PaymentLinkCode} />,
    },
    {
      id: 'source',
      title: texts.source,
      cell: ({ sourceId }) => <span class="mono quiet">{sourceId}</span>,
    },
    {
      id: 'amount',
      title: texts.amount,
      isNumber: true,
      // The change of what the processors owe.
      cell: ({ amount, currency, creditAccount }) => (
        <Money amount={creditAccount === 'processor' ? -amount : amount} currency={currency} />
      ),
    },
  ];
}

type FilterProps = { from: string; to: string; sort: (typeof orders)[number] };

function Filters({ from, to, sort }: FilterProps) {
  const texts = useBalancesTexts();
  const [, change] = useUrlState();
  const choices = orders.map((value) => ({ value, label: texts.orders[value] }));
  return (
    <div class="filters">
      <DayRange {...{ from, to }} fromLabel={texts.from} toLabel={texts.to} onInput={change} />
      <SelectField
        label={texts.order}
        value={sort}
        choices={choices}
        onInput={(next) => change({ sort: next === orders[0] ? '' : next })}
      />
      {(from || to) && <Button onClick={() => change({ from: '', to: '' })}>{texts.clear}</Button>}
    </div>
  );
}

/** The movements of money. */
export function Ledger() {
  const texts = useBalancesTexts();
  const [values] = useUrlState();
  const { from = '', to = '' } = values;
  const sort = values.sort === 'CreatedOn' ? 'CreatedOn' : '-CreatedOn';
  const query = { from: startOfDay(from), to: endOfDay(to), sort } as const;
  const list = useApiList('listLedgerEntries', { query }, { keepsPrevious: true });
  const columns = useColumns();
  return (
    <Section title={texts.ledger} hint={texts.ledgerHint}>
      <Filters {...{ from, to, sort }} />
      <div class="ledger" aria-busy={list.isPlaceholderData}>
        <PagedTable
          caption={texts.ledger}
          columns={columns}
          keyOf={({ entryId }) => entryId}
          list={list}
          empty={<EmptyState title={texts.noEntries} hint={texts.noEntriesHint} />}
        />
      </div>
    </Section>
  );
}
