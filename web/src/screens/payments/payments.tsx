// The payments: searched while somebody types, filtered by the URL, page by page, and as a file. Must not hold more of
// a payment than the API returned for the list.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useSearch } from 'wouter-preact';
import { useApiList } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { useShortcuts } from '../../base/shortcuts.ts';
import { saveLastListPath } from '../../base/storage.ts';
import { useUrlState } from '../../base/url-state.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { Segments } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { ExportNotice, useExport } from './export-button.tsx';
import { Chips, FilterPanel } from './filter-panel.tsx';
import { type Filters, isFiltering, noFilters, paymentStates, queryOf, readFilters } from './filters.ts';
import { ColumnChoice, PaymentRows, rowsPerPage, useChosenColumns } from './payment-list.tsx';
import { usePaymentsTexts } from './texts.ts';
import './payments.css';

/** Keys pressed sooner than this after a search are searched together, at the end of this time. */
const pauseMs = 60;
const maxSearchLength = 254;

/** The typed text, and its exchange with the URL. */
function useTyped(text: string, search: (text: string) => void) {
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const askedAt = useRef(-pauseMs);
  // Something other than this field changed the search: the Back button, or a removed filter. Read in the same step as
  // the render: later, more may have been typed and searched, and would be lost.
  useLayoutEffect(() => {
    if (text === sent.current) return;
    sent.current = text;
    setTyped(text);
  }, [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (next: string) => {
    setTyped(next);
    clearTimeout(timer.current);
    const ask = () => {
      askedAt.current = performance.now();
      sent.current = next.trimStart();
      search(sent.current);
    };
    const pauseLeftMs = askedAt.current + pauseMs - performance.now();
    // A slow typist waits only for the response.
    if (pauseLeftMs <= 0) ask();
    else timer.current = setTimeout(ask, pauseLeftMs);
  };
  return { typed, type };
}

type SearchFieldProps = {
  text: string;
  search(text: string): void;
  isWorking: boolean;
  onDown(): void;
};

/** Each key press drops the previous search. The field keeps the typed text while the URL still has the previous one. */
function SearchField({ text, search, isWorking, onDown }: SearchFieldProps) {
  const texts = usePaymentsTexts();
  const { typed, type } = useTyped(text, search);
  return (
    <div class="field payment-search">
      <label for="payment-search">{texts.search}</label>
      <div class="payment-search-box">
        <input
          id="payment-search"
          type="search"
          autoComplete="off"
          spellcheck={false}
          maxLength={maxSearchLength}
          value={typed}
          aria-describedby="payment-search-hint"
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            onDown();
          }}
        />
        {isWorking && <span class="spinner" aria-hidden="true" />}
      </div>
      <p id="payment-search-hint" class="field-hint">
        {texts.searchHint}
      </p>
    </div>
  );
}

function linksIn(list: HTMLElement | null): HTMLAnchorElement[] {
  return [...(list?.querySelectorAll<HTMLAnchorElement>('a.row-link') ?? [])];
}

/** Moves the focus by so many rows; from outside of the list, to its first row. */
function step(list: HTMLElement | null, by: number): void {
  const links = linksIn(list);
  const here = links.indexOf(document.activeElement as HTMLAnchorElement);
  const next = links[here < 0 ? 0 : Math.min(links.length - 1, Math.max(0, here + by))];
  next?.focus();
}

/** A click in a row follows its link, unless it was on a link or a button, or selected text. */
function followRow(event: MouseEvent): void {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('a, button, input')) return;
  if (getSelection()?.toString()) return;
  const link = target.closest('tbody tr')?.querySelector<HTMLAnchorElement>('a.row-link');
  link?.dispatchEvent(new MouseEvent('click', event));
}

/** Props for the list, and how to focus its first row. */
function useRows() {
  const list = useRef<HTMLDivElement>(null);
  const keys = useMemo(() => ({ j: () => step(list.current, 1), k: () => step(list.current, -1) }), []);
  useShortcuts(keys);
  useEffect(() => {
    const element = list.current;
    element?.addEventListener('click', followRow);
    return () => element?.removeEventListener('click', followRow);
  }, []);
  return { list, focusFirst: () => linksIn(list.current)[0]?.focus() };
}

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
          {texts.screens.newLink}
        </LinkButton>
      )}
    </>
  );
}

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
    <Page title={texts.screens.payments} actions={<Actions start={startExport} />}>
      <ExportNotice running={exporting} again={startExport} />
      <section class="card payments" aria-label={texts.screens.payments}>
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
