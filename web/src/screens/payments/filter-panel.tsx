// The filters beside search and status: a form that is applied as a whole, so that no half-typed value is
// searched.

import { useState } from 'preact/hooks';
import { currencies, readAmount } from '../../base/format.ts';
import { type Language, useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { bindFields, SelectField, TextField } from '../../parts/field.tsx';
import { type FilterName, type Filters, isOrderGiven, noFilters, readFilters } from './filters.ts';
import { usePaymentsTexts } from './texts.ts';

const amountNames = ['minAmount', 'maxAmount'] as const;

const typedAmount = (language: Language, amount: string) =>
  language === 'de' ? amount.replace('.', ',') : amount;

/** The filters as typed: amounts in the form of the language. */
function draftOf(filters: Filters, language: Language): Filters {
  const [minAmount, maxAmount] = [
    typedAmount(language, filters.minAmount),
    typedAmount(language, filters.maxAmount),
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

type FilterPanelProps = {
  filters: Filters;
  apply(filters: Filters): void;
};

/** The form. */
export function FilterPanel({ filters, apply }: FilterPanelProps) {
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
          { value: '', label: texts.sorts.newest },
          { value: 'CreatedOn', label: texts.sorts.oldest },
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
