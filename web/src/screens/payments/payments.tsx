// The payments: searched while somebody types, filtered by the URL, page by page, and as a file. Must not hold more of
// a payment than the API returned for the list.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useSearch } from 'wouter-preact';
import { useApiList } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { saveLastListPath } from '../../base/last-list.ts';
import { useUrlState } from '../../base/url-state.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import { Segments } from '../../parts/segments.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { Chips } from './chips.tsx';
import { ColumnChoice, useChosenColumns } from './columns.tsx';
import { ExportNotice, useExport } from './export-button.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { type Filters, isFiltering, noFilters, paymentStates, queryOf, readFilters } from './filters.ts';
import { PaymentRows, rowsPerPage } from './payment-list.tsx';
import './payments.css';
import { useRows } from './rows.ts';
import { SearchField } from './search-field.tsx';
import { usePaymentsTexts } from './texts.ts';

function StatusChoice({ status, choose }: { status: string; choose(status: string): void }) {
  const texts = usePaymentsTexts();
  const { payment: names } = useCommonTexts();
  const choices = paymentStates.map((value) => ({ value, label: names[value] }));
  return (
    <Segments
      class="status-choice"
      label={texts.status}
      value={status}
      choices={[{ value: '', label: texts.anyStatus }, ...choices]}
      onInput={choose}
    />
  );
}

/** A button that opens a panel below, and gets the focus back when the panel is done. */
function usePanel() {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLDivElement>(null);
  const close = () => {
    setIsOpen(false);
    button.current?.querySelector('button')?.focus();
  };
  return { isOpen, toggle: () => setIsOpen(!isOpen), close, button };
}

/** The filters of the URL. `/?focus=search` also requests the focus, once. */
function useFilters() {
  const [values, change] = useUrlState();
  const search = useSearch();
  const filters = readFilters(values);
  // Before the first paint, so that early typing goes into the search.
  useLayoutEffect(() => {
    if (values.focus !== 'search') return;
    document.querySelector<HTMLInputElement>('#payment-search')?.focus();
    change({ focus: '' });
  }, [values.focus]);
  useEffect(() => saveLastListPath(search), [search]);
  return { filters, change, put: (next: Filters) => change(next, { isStep: true }) };
}

function Actions({ start }: { start(): void }) {
  const { may } = useSession();
  const texts = usePaymentsTexts();
  return (
    <>
      {may('exports:read') && <Button onClick={start}>{texts.export.action}</Button>}
      {may('payments:create') && (
        <LinkButton to="/payments/new" weight="main">
          {texts.newLink}
        </LinkButton>
      )}
    </>
  );
}

/** The list of payments. */
export default function PaymentsScreen() {
  const texts = usePaymentsTexts();
  const { filters, change, put } = useFilters();
  const query = queryOf(filters);
  const list = useApiList(
    'listPayments',
    { query: { ...query, limit: rowsPerPage } },
    { keepsPrevious: true },
  );
  const columns = useChosenColumns();
  const { list: rows, focusFirst } = useRows();
  const [filterPanel, columnPanel] = [usePanel(), usePanel()];
  const exporting = useExport();
  const startExport = () => void exporting.start(query);
  const apply = (next: Filters) => {
    put(next);
    filterPanel.close();
  };
  return (
    <Page title={texts.title} actions={<Actions start={startExport} />}>
      <ExportNotice running={exporting} again={startExport} />
      <section class="card payments" aria-label={texts.title}>
        <div class="payments-tools">
          <SearchField
            text={filters.text}
            search={(text) => change({ text })}
            isWorking={list.isPlaceholderData}
            onDown={focusFirst}
          />
          <div ref={filterPanel.button}>
            <Button aria-expanded={filterPanel.isOpen} onClick={filterPanel.toggle}>
              {texts.filters}
            </Button>
          </div>
        </div>
        <StatusChoice status={filters.status} choose={(status) => put({ ...filters, status })} />
        {filterPanel.isOpen && <FilterPanel filters={filters} apply={apply} />}
        <Chips filters={filters} change={(changes) => change(changes, { isStep: true })} />
        {columnPanel.isOpen && <ColumnChoice {...columns} />}
        <div ref={rows} class="payment-rows" aria-busy={list.isPlaceholderData}>
          <PaymentRows
            list={list}
            chosen={columns.chosen}
            isFiltering={isFiltering(filters)}
            clear={() => put({ ...noFilters, sort: filters.sort })}
            actions={
              <Button isSmall weight="bare" aria-expanded={columnPanel.isOpen} onClick={columnPanel.toggle}>
                {texts.columns}
              </Button>
            }
          />
        </div>
      </section>
    </Page>
  );
}
