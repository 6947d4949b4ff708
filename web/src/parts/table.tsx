// A table. On a narrow screen, each row becomes a card with the names of the columns in it. The API decides the order
// and the pages.

import type { ComponentChildren } from 'preact';
import { useCommonTexts } from '../texts/common.ts';
import { Button } from './button.tsx';
import { EmptyState, FailedState, LoadingState } from './page.tsx';

export type Column<Row> = {
  id: string;
  title: string;
  cell(row: Row): ComponentChildren;
  isNumber?: boolean;
  /** Its title is for screen readers only, such as over buttons. */
  isTitleHidden?: boolean;
};

/** The names of columns of numbers, which end at the right like the buttons. */
const numbers: readonly string[] = [
  ...['amount', 'refunded', 'attempts', 'actions'],
  ...['due', 'dead', 'count', 'failures'],
];

/**
 * The columns of a table by their cells. The title of each is the text of the same name. `actions` is the last one, with
 * buttons: its title is for screen readers only. It is left out if it is false.
 */
export function useNamedColumns<Row, Id extends string>(
  titles: Readonly<Record<NoInfer<Exclude<Id, 'actions'>>, string>>,
  cells: Readonly<Record<Id, Column<Row>['cell'] | false>>,
): Column<Row>[] {
  const { actions } = useCommonTexts();
  const all: Readonly<Record<string, string>> = { ...titles, actions };
  return Object.entries<Column<Row>['cell'] | false>(cells).flatMap(([id, cell]) =>
    cell
      ? [{ id, title: all[id] ?? id, cell, isNumber: numbers.includes(id), isTitleHidden: id === 'actions' }]
      : [],
  );
}

type TableProps<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
};

export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table class="table">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ id, title, isNumber, isTitleHidden }) => (
            <th key={id} scope="col" class={isNumber ? 'number' : undefined}>
              {isTitleHidden ? <span class="unseen">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ id, title, cell, isNumber, isTitleHidden }) => (
              <td
                key={id}
                class={isNumber ? 'number' : undefined}
                data-column={id}
                data-title={isTitleHidden ? '' : title}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type ListResult<Row> = {
  entries: readonly Row[];
  isPending: boolean;
  error: unknown;
  refetch(): unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  /** Whether `error` is about the last page requested, and not about an earlier one. */
  isFetchNextPageError: boolean;
  fetchNextPage(): unknown;
};

type PagedTableProps<Row> = Omit<TableProps<Row>, 'rows'> & {
  list: ListResult<Row>;
  empty: ComponentChildren;
};

/** A list of the API as a table: its rows, more of them on demand, or why there are none. */
export function PagedTable<Row>({ list, empty, ...table }: PagedTableProps<Row>) {
  const { more } = useCommonTexts();
  const { entries, error } = list;
  const again = () => void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch());
  if (list.isPending) return <LoadingState rows={6} />;
  if (error && entries.length === 0) return <FailedState fault={error} retry={() => void list.refetch()} />;
  return (
    <>
      {entries.length > 0 && <Table {...table} rows={entries} />}
      {entries.length === 0 &&
        !list.hasNextPage &&
        (typeof empty === 'string' ? <EmptyState title={empty} /> : empty)}
      {error ? <FailedState fault={error} retry={again} /> : null}
      {list.hasNextPage && (
        <div class="actions actions-middle">
          <Button isWorking={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {more}
          </Button>
        </div>
      )}
    </>
  );
}
