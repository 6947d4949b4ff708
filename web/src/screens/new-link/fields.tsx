// The fields of the form, in groups. They show their errors, and know nothing of how the form is sent.

import { currencies } from '../../base/format.ts';
import { languageNames, languages } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { ExpiryField } from '../../parts/expiry-field.tsx';
import { SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import type { Draft, MetadataPair } from './draft.ts';
import { useNewLinkTexts } from './texts.ts';

export type FieldsProps = {
  draft: Draft;
  set(changes: Partial<Draft>): void;
  /** The errors, by the API's field names. */
  errors: Readonly<Record<string, string | undefined>>;
};

const maxPairs = 20;

/** Amount, order and description. */
export function OrderFields({ draft, set, errors }: FieldsProps) {
  const texts = useNewLinkTexts();
  return (
    <Section title={texts.what}>
      <div class="form-grid">
        <div class="amount-fields">
          <TextField
            label={texts.amount}
            inputMode="decimal"
            autoComplete="off"
            value={draft.amount}
            error={errors.amount}
            onInput={(amount) => set({ amount })}
          />
          <SelectField
            label={texts.currency}
            value={draft.currency}
            error={errors.currency}
            onInput={(value) => set({ currency: currencies.find((one) => one === value) ?? 'EUR' })}
            choices={currencies.map((one) => ({ value: one, label: one }))}
          />
        </div>
        <TextField
          label={texts.order}
          hint={texts.orderHint}
          autoComplete="off"
          maxLength={128}
          value={draft.customerOrderId}
          error={errors.customerOrderId}
          onInput={(customerOrderId) => set({ customerOrderId })}
        />
      </div>
      <TextArea
        label={texts.description}
        hint={texts.descriptionHint}
        isOptional
        rows={2}
        maxLength={500}
        value={draft.description}
        error={errors.description}
        onInput={(description) => set({ description })}
      />
    </Section>
  );
}

/** The customer. */
export function CustomerFields({ draft, set, errors }: FieldsProps) {
  const texts = useNewLinkTexts();
  const names = ['firstName', 'lastName'] as const;
  return (
    <Section title={texts.who}>
      <div class="form-grid">
        <TextField
          label={texts.email}
          hint={texts.emailHint}
          type="email"
          autoComplete="off"
          maxLength={254}
          value={draft.email}
          error={errors.email}
          onInput={(email) => set({ email })}
        />
        <TextField
          label={texts.phone}
          type="tel"
          autoComplete="off"
          isOptional
          maxLength={32}
          value={draft.phone}
          error={errors.phone}
          onInput={(phone) => set({ phone })}
        />
        {names.map((name) => (
          <TextField
            key={name}
            label={texts[name]}
            autoComplete="off"
            isOptional
            maxLength={100}
            value={draft[name]}
            error={errors[name]}
            onInput={(value) => set({ [name]: value })}
          />
        ))}
      </div>
    </Section>
  );
}

/** Its expiry, and the language of its page. */
export function LinkFields({ draft, set, errors }: FieldsProps) {
  const texts = useNewLinkTexts();
  const chosen = languages.map((one) => ({ value: one, label: languageNames[one] }));
  return (
    <Section title={texts.link}>
      <div class="form-grid">
        <ExpiryField expiry={draft.expiry} error={errors.expiresAt} onInput={(expiry) => set({ expiry })} />
        <SelectField
          label={texts.locale}
          value={draft.locale}
          error={errors.locale}
          onInput={(value) => set({ locale: languages.find((one) => one === value) ?? '' })}
          choices={[{ value: '', label: texts.localeOpen }, ...chosen]}
        />
      </div>
    </Section>
  );
}

/** The return URLs. */
export function ReturnFields({ draft, set, errors }: FieldsProps) {
  const texts = useNewLinkTexts();
  return (
    <Section title={texts.returns} hint={texts.returnsHint}>
      <div class="form-grid">
        <TextField
          label={texts.success}
          type="url"
          autoComplete="off"
          maxLength={2048}
          value={draft.success_url}
          error={errors.success_url}
          onInput={(value) => set({ success_url: value })}
        />
        <TextField
          label={texts.failure}
          type="url"
          autoComplete="off"
          maxLength={2048}
          value={draft.failure_url}
          error={errors.failure_url}
          onInput={(value) => set({ failure_url: value })}
        />
      </div>
    </Section>
  );
}

type PairProps = {
  pair: MetadataPair;
  number: string;
  error: string | undefined;
  set(pair: MetadataPair | null): void;
};

function PairFields({ pair, number, error, set }: PairProps) {
  const texts = useNewLinkTexts();
  return (
    <li class="pair">
      <TextField
        label={texts.pairName(number)}
        maxLength={40}
        value={pair.name}
        error={error}
        onInput={(name) => set({ ...pair, name })}
      />
      <TextField
        label={texts.pairValue(number)}
        maxLength={500}
        value={pair.value}
        onInput={(value) => set({ ...pair, value })}
      />
      <Button isSmall aria-label={texts.removePair(number)} onClick={() => set(null)}>
        ✕
      </Button>
    </li>
  );
}

/** The merchant's metadata; collapsed at first. */
export function MetadataFields({ draft, set, errors }: FieldsProps) {
  const texts = useNewLinkTexts();
  const { pairs } = draft;
  const put = (at: number, pair: MetadataPair | null) =>
    set({ pairs: pairs.flatMap((one, index) => (index === at ? (pair ?? []) : one)) });
  return (
    <details class="card" open={pairs.length > 0 || errors.metadata !== undefined}>
      <summary class="strong">
        {texts.more}: {texts.pairs}
      </summary>
      <div class="stack pairs">
        <p class="quiet">{texts.pairsHint}</p>
        <ul class="stack">
          {pairs.map((pair, index) => (
            <PairFields
              key={index}
              pair={pair}
              number={String(index + 1)}
              error={index === 0 ? errors.metadata : undefined}
              set={(next) => put(index, next)}
            />
          ))}
        </ul>
        <div class="actions">
          {pairs.length < maxPairs && (
            <Button isSmall onClick={() => set({ pairs: [...pairs, { name: '', value: '' }] })}>
              {texts.addPair}
            </Button>
          )}
        </div>
      </div>
    </details>
  );
}
