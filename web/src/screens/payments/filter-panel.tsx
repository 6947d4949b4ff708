// The filters beside search and status: a form that is applied as a whole, so that no half-typed value is
// searched.

import { useState } from 'preact/hooks';
import { currencies, readAmount } from '../../base/format.ts';
import { type Language, useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { type FilterName, type Filters, isOrderGiven, noFilters, readFilters } from './filters.ts';
import { usePaymentsTexts } from './texts.ts';

const amountNames = ['minAmount', 'maxAmount'] as const;

const typed = (language: Language, amount: string) => (language === 'de' ? amount.replace('.', ',') : amount);

/** The filters as typed: amounts in the form of the language. */
function draftOf(filters: Filters, language: Language): Filters {
  const [minAmount, maxAmount] = [typed(language, filters.minAmount), typed(language, filters.maxAmount)];
  return { ...filters, minAmount, maxAmount };
}

/** The typed filters, and which amounts are invalid. */
function readDraft(draft: Filters): { filters: Filters; wrong: readonly FilterName[] } {
  const read = amountNames.map((name) => {
    const text = draft[name].trim();
    const amount = text === '' ? null : readAmount(text);
    const value = amount === null ? '' : String(amount);
    const isRight = text === '' || readFilters({ [name]: value })[name] !== '';
    return { name, value, isRight };
  });
  const amounts = Object.fromEntries(read.map(({ name, value }) => [name, value]));
  const wrong = read.filter(({ isRight }) => !isRight).map(({ name }) => name);
  return { filters: readFilters({ ...draft, ...amounts }), wrong };
}

type FieldProps = {
  draft: Filters;
  wrong: readonly FilterName[];
  set(changes: Partial<Filters>): void;
};

function Amounts({ draft, wrong, set }: FieldProps) {
  const texts = usePaymentsTexts();
  return (
    <>
      {amountNames.map((name) => (
        <TextField
          key={name}
          label={texts[name]}
          inputMode="decimal"
          value={draft[name]}
          error={wrong.includes(name) ? texts.badAmount : undefined}
          onInput={(value) => set({ [name]: value })}
        />
      ))}
    </>
  );
}

function Days({ draft, set }: FieldProps) {
  const texts = usePaymentsTexts();
  return (
    <>
      {(['from', 'to'] as const).map((name) => (
        <TextField
          key={name}
          label={texts[name]}
          type="date"
          value={draft[name]}
          onInput={(value) => set({ [name]: value })}
        />
      ))}
    </>
  );
}

function Choices({ draft, set }: FieldProps) {
  const texts = usePaymentsTexts();
  const every = { value: '', label: texts.anyCurrency };
  return (
    <>
      <SelectField
        label={texts.currency}
        value={draft.currency}
        onInput={(currency) => set({ currency })}
        choices={[every, ...currencies.map((one) => ({ value: one, label: one }))]}
      />
      <SelectField
        label={texts.sort}
        hint={isOrderGiven(draft) ? texts.sortGiven : undefined}
        value={draft.sort}
        onInput={(sort) => set({ sort })}
        choices={[
          { value: '', label: texts.sorts.newest },
          { value: 'CreatedOn', label: texts.sorts.oldest },
        ]}
      />
    </>
  );
}

export type FilterPanelProps = {
  filters: Filters;
  apply(filters: Filters): void;
};

/** The form. */
export function FilterPanel({ filters, apply }: FilterPanelProps) {
  const texts = usePaymentsTexts();
  const { language } = useLanguage();
  const [draft, setDraft] = useState(() => draftOf(filters, language));
  const [wrong, setWrong] = useState<readonly FilterName[]>([]);
  const fields = { draft, wrong, set: (changes: Partial<Filters>) => setDraft({ ...draft, ...changes }) };
  const submit = () => {
    const read = readDraft(draft);
    setWrong(read.wrong);
    if (read.wrong.length === 0) apply({ ...read.filters, text: filters.text, status: filters.status });
  };
  return (
    <form
      class="filter-panel"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Amounts {...fields} />
      <Days {...fields} />
      {(['customerOrderId', 'email'] as const).map((name) => (
        <TextField
          key={name}
          label={name === 'email' ? texts.email : texts.order}
          hint={texts.starHint}
          maxLength={name === 'email' ? 255 : 129}
          value={draft[name]}
          onInput={(value) => fields.set({ [name]: value })}
        />
      ))}
      <Choices {...fields} />
      <div class="actions">
        <Button type="submit" weight="main">
          {texts.apply}
        </Button>
        <Button onClick={() => apply({ ...noFilters, text: filters.text, status: filters.status })}>
          {texts.clearAll}
        </Button>
      </div>
    </form>
  );
}
