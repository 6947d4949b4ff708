// The fields of the form, in groups. They show their errors, and know nothing of how the form is sent.

import { currencies } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { listPageLanguages } from '../../base/page-languages.ts';
import { Button } from '../../parts/button.tsx';
import { ExpiryField } from '../../parts/expiry-field.tsx';
import { bindFields, SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import type { Draft, MetadataPair } from './draft.ts';
import { useNewLinkTexts } from './texts.ts';

export type FieldsProps = {
  draft: Draft;
  set(changes: Partial<Draft>): void;
  errors: Readonly<Record<string, string | undefined>>;
};

const maxPairs = 20;

export function OrderFields({ draft, set, errors }: FieldsProps) {
  const texts = useNewLinkTexts();
  const field = bindFields(draft, set, errors);
  return (
    <Section title={texts.order}>
      <div class="form-grid">
        <div class="amount-fields">
          <TextField {...field('amount')} label={texts.amount} inputMode="decimal" autoComplete="off" />
          <SelectField
            {...field('currency')}
            label={texts.currency}
            choices={currencies.map((value) => ({ value, label: value }))}
          />
        </div>
        <TextField
          {...field('customerOrderId')}
          label={texts.orderNumber}
          hint={texts.orderHint}
          autoComplete="off"
          maxLength={128}
        />
      </div>
      <TextArea
        {...field('description')}
        label={texts.description}
        hint={texts.descriptionHint}
        isOptional
        rows={2}
        maxLength={500}
      />
    </Section>
  );
}

export function CustomerFields({ draft, set, errors }: FieldsProps) {
  const texts = useNewLinkTexts();
  const field = bindFields(draft, set, errors);
  const optional = { autoComplete: 'off', isOptional: true };
  return (
    <Section title={texts.customer}>
      <div class="form-grid">
        <TextField
          {...field('email')}
          label={texts.email}
          hint={texts.emailHint}
          type="email"
          autoComplete="off"
          maxLength={254}
        />
        <TextField {...field('phone')} {...optional} label={texts.phone} type="tel" maxLength={32} />
        <TextField {...field('firstName')} {...optional} label={texts.firstName} maxLength={100} />
        <TextField {...field('lastName')} {...optional} label={texts.lastName} maxLength={100} />
      </div>
    </Section>
  );
}

export function LinkFields({ draft, set, errors }: FieldsProps) {
  const texts = useNewLinkTexts();
  const { language } = useLanguage();
  return (
    <Section title={texts.paymentLink}>
      <div class="form-grid">
        <ExpiryField expiry={draft.expiry} error={errors.expiresAt} onInput={(expiry) => set({ expiry })} />
        <SelectField
          {...bindFields(draft, set, errors)('locale')}
          label={texts.pageLanguage}
          choices={[{ value: '', label: texts.browserLanguage }, ...listPageLanguages(language)]}
        />
      </div>
    </Section>
  );
}

export function ReturnFields({ draft, set, errors }: FieldsProps) {
  const texts = useNewLinkTexts();
  const field = bindFields(draft, set, errors);
  const url = { type: 'url', autoComplete: 'off', maxLength: 2048 };
  return (
    <Section title={texts.returns} hint={texts.returnsHint}>
      <div class="form-grid">
        <TextField {...field('success_url')} {...url} label={texts.successUrl} />
        <TextField {...field('failure_url')} {...url} label={texts.failureUrl} />
      </div>
    </Section>
  );
}

type PairProps = {
  pair: MetadataPair;
  number: number;
  error: string | undefined;
  set(pair: MetadataPair | null): void;
};

function PairFields({ pair, number, error, set }: PairProps) {
  const texts = useNewLinkTexts();
  const field = bindFields(pair, (part) => set({ ...pair, ...part }), { name: error });
  return (
    <li class="field-line pair">
      <TextField {...field('name')} label={texts.pairName({ number })} maxLength={40} />
      <TextField {...field('value')} label={texts.pairValue({ number })} maxLength={500} />
      <Button isSmall aria-label={texts.removePair({ number })} onClick={() => set(null)}>
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
      <summary class="strong">{texts.metadata}</summary>
      <div class="stack pairs">
        <p class="quiet">{texts.metadataHint}</p>
        <ul class="stack">
          {pairs.map((pair, index) => (
            <PairFields
              key={index}
              pair={pair}
              number={index + 1}
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
