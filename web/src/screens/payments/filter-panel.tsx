// The filters beside search and status: a form that is applied as a whole, so that no half-typed value is
// searched.

import { useState } from 'preact/hooks';
import { startOfDay } from '../../base/days.ts';
import { currencies, formatCount, formatDay, readAmount, writeAmount } from '../../base/format.ts';
import { type Language, useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { bindFields, SelectField, TextField } from '../../parts/field.tsx';
import {
  type FilterName,
  type Filters,
  isFiltering,
  isOrderGiven,
  noFilters,
  readFilters,
} from './filters.ts';
import { usePaymentsTexts } from './texts.ts';

type Chip = { names: readonly FilterName[]; label: string };

/** Two bounds in one chip, because they belong together. */
function rangeChip(
  names: readonly [FilterName, FilterName],
  [low, high]: readonly [string, string],
  texts: {
    both(values: { from: string; to: string }): string;
    low(values: { from: string }): string;
    high(values: { to: string }): string;
  },
): Chip[] {
  if (low && high) return [{ names, label: texts.both({ from: low, to: high }) }];
  if (low) return [{ names, label: texts.low({ from: low }) }];
  return high ? [{ names, label: texts.high({ to: high }) }] : [];
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
    filters[name] === '' ? [] : [{ names: [name], label: texts[name]({ value: filters[name] }) }],
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
              aria-label={texts.chips.remove({ chip: label })}
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

const amountNames = ['minAmount', 'maxAmount'] as const;

/** The filters as typed: amounts in the form of the language. */
function draftOf(filters: Filters, language: Language): Filters {
  const [minAmount, maxAmount] = [
    writeAmount(language, filters.minAmount),
    writeAmount(language, filters.maxAmount),
  ];
  return { ...filters, minAmount, maxAmount };
}

/** The typed filters, and which amounts are invalid. */
function readDraft(draft: Filters): { filters: Filters; invalid: readonly FilterName[] } {
  const read = amountNames.map((name) => {
    const text = draft[name].trim();
    const amount = text === '' ? null : readAmount(text);
    const value = amount === null ? '' : String(amount);
    const isValid = text === '' || readFilters({ [name]: value })[name] !== '';
    return { name, value, isValid };
  });
  const amounts = Object.fromEntries(read.map(({ name, value }) => [name, value]));
  const invalid = read.filter(({ isValid }) => !isValid).map(({ name }) => name);
  return { filters: readFilters({ ...draft, ...amounts }), invalid };
}

export function FilterPanel({ filters, apply }: { filters: Filters; apply(filters: Filters): void }) {
  const texts = usePaymentsTexts();
  const { language } = useLanguage();
  const [draft, setDraft] = useState(() => draftOf(filters, language));
  const [invalid, setInvalid] = useState<readonly FilterName[]>([]);
  const errors = Object.fromEntries(invalid.map((name) => [name, texts.invalidAmount]));
  const field = bindFields(draft, (part) => setDraft({ ...draft, ...part }), errors);
  const { text, status } = filters;
  const submit = () => {
    const read = readDraft(draft);
    setInvalid(read.invalid);
    if (read.invalid.length === 0) apply({ ...read.filters, text, status });
  };
  return (
    <form
      class="filter-panel"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {amountNames.map((name) => (
        <TextField key={name} {...field(name)} label={texts[name]} inputMode="decimal" />
      ))}
      {(['from', 'to'] as const).map((name) => (
        <TextField key={name} {...field(name)} label={texts[name]} type="date" />
      ))}
      <TextField {...field('customerOrderId')} label={texts.order} hint={texts.starHint} maxLength={129} />
      <TextField {...field('email')} label={texts.email} hint={texts.starHint} maxLength={255} />
      <SelectField
        {...field('currency')}
        label={texts.currency}
        choices={[
          { value: '', label: texts.anyCurrency },
          ...currencies.map((value) => ({ value, label: value })),
        ]}
      />
      <SelectField
        {...field('sort')}
        label={texts.sort}
        hint={isOrderGiven(draft) ? texts.sortGiven : undefined}
        choices={[
          { value: '', label: texts.newestFirst },
          { value: 'createdAt', label: texts.oldestFirst },
        ]}
      />
      <div class="actions">
        <Button type="submit" weight="main">
          {texts.apply}
        </Button>
        <Button onClick={() => apply({ ...noFilters, text, status })}>{texts.clearAll}</Button>
      </div>
    </form>
  );
}
