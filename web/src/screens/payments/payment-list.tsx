// The rows of the list, their count, and what to do if there are none. A page of the API may be short while there
// are more: then the next ones are loaded until a screen is full.

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { useApiList } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { formatCount } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Button, LinkButton } from '../../parts/button.tsx';
import { EmptyState, LoadingState } from '../../parts/states.tsx';
import { PagedTable } from '../../parts/table.tsx';
import { type useChosenColumns, useColumns } from './columns.tsx';
import { usePaymentsTexts } from './texts.ts';

/** The rows of a full page. */
export const rowsPerPage = 50;
/** The maximum of short pages that load automatically. Each reads up to 2000 payments. */
const maxPages = 50;

type PaymentList = ReturnType<typeof useApiList<'listPayments'>>;

/** Loads further pages while pages are short, so that nobody has to press a button for nothing. */
function useFullPage(list: PaymentList): boolean {
  const { entries, hasNextPage, isFetching, isError, fetchNextPage, data } = list;
  const isShort = hasNextPage && entries.length < rowsPerPage && (data?.pages.length ?? 0) < maxPages;
  useEffect(() => {
    if (isShort && !isFetching && !isError) void fetchNextPage();
  }, [isShort, isFetching, isError, fetchNextPage]);
  return isShort && !isError;
}

function useCountText(list: PaymentList, isLoadingMore: boolean): string {
  const texts = usePaymentsTexts();
  const { language } = useLanguage();
  const { entries, hasNextPage, isPending } = list;
  const count = formatCount(language, entries.length);
  if (isPending) return '';
  if (isLoadingMore) return texts.stillSearching(count);
  if (hasNextPage) return texts.shownMore(count);
  return entries.length === 1 ? texts.oneShown : texts.shown(count);
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
          {texts.newLink}
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
  /** Actions beside the count. */
  actions: ComponentChildren;
};

/** The list with its count. */
export function PaymentRows({ list, chosen, isFiltering, clear, actions }: PaymentRowsProps) {
  const texts = usePaymentsTexts();
  const columns = useColumns().filter(({ id }) => chosen.includes(id));
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
        caption={texts.title}
        columns={columns}
        keyOf={({ PaymentLinkCode }) => PaymentLinkCode}
      />
    </>
  );
}
