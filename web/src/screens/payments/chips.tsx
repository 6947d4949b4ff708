// The active filters, each as a button that removes it. Search and status have their own controls.

import { startOfDay } from '../../base/days.ts';
import { formatCount, formatDay } from '../../base/format.ts';
import { type Language, useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { type FilterName, type Filters, isFiltering, noFilters } from './filters.ts';
import { usePaymentsTexts } from './texts.ts';

type Chip = { names: readonly FilterName[]; label: string };

/** Two bounds in one chip, because they belong together. */
function rangeChip(
  names: readonly [FilterName, FilterName],
  [low, high]: readonly [string, string],
  texts: { both(low: string, high: string): string; low(low: string): string; high(high: string): string },
): Chip[] {
  if (low && high) return [{ names, label: texts.both(low, high) }];
  if (low) return [{ names, label: texts.low(low) }];
  return high ? [{ names, label: texts.high(high) }] : [];
}

const amountIn = (language: Language, amount: string) =>
  amount === '' ? '' : formatCount(language, Number(amount));

function dayIn(language: Language, day: string): string {
  const start = startOfDay(day);
  return start ? formatDay(language, start) : '';
}

function useChips(filters: Filters): Chip[] {
  const { chips: texts } = usePaymentsTexts();
  const { language } = useLanguage();
  const single = (['customerOrderId', 'email', 'currency'] as const).flatMap((name) =>
    filters[name] === '' ? [] : [{ names: [name], label: texts[name](filters[name]) }],
  );
  const amounts = rangeChip(
    ['minAmount', 'maxAmount'],
    [amountIn(language, filters.minAmount), amountIn(language, filters.maxAmount)],
    { both: texts.amount, low: texts.amountFrom, high: texts.amountTo },
  );
  const days = rangeChip(['from', 'to'], [dayIn(language, filters.from), dayIn(language, filters.to)], {
    both: texts.created,
    low: texts.createdFrom,
    high: texts.createdTo,
  });
  return [...single, ...amounts, ...days];
}

type ChipsProps = { filters: Filters; change(changes: Partial<Record<FilterName, string>>): void };

/** The chips, and one button that removes all of them. */
export function Chips({ filters, change }: ChipsProps) {
  const texts = usePaymentsTexts();
  const chips = useChips(filters);
  if (!isFiltering(filters)) return null;
  return (
    <div class="chips">
      <ul aria-label={texts.chips.list}>
        {chips.map(({ names, label }) => (
          <li key={names[0]}>
            <button
              type="button"
              class="chip"
              aria-label={texts.chips.remove(label)}
              onClick={() => change(Object.fromEntries(names.map((name) => [name, ''])))}
            >
              <bdi>{label}</bdi> <span aria-hidden="true">✕</span>
            </button>
          </li>
        ))}
      </ul>
      <Button weight="bare" isSmall onClick={() => change({ ...noFilters, sort: filters.sort })}>
        {texts.clearAll}
      </Button>
    </div>
  );
}
