// The expiry of a link: usual durations, or a given time.

import { type Expiry, expiryChoices } from '../base/days.ts';
import { SelectField, TextField } from './field.tsx';
import { useLinkTexts } from './link-texts.ts';

type ExpiryFieldProps = {
  expiry: Expiry;
  onInput(expiry: Expiry): void;
  error?: string | undefined;
};

export function ExpiryField({ expiry, onInput, error }: ExpiryFieldProps) {
  const texts = useLinkTexts();
  const { choice, own } = expiry;
  const isOwn = choice === 'own';
  return (
    <>
      <SelectField
        label={texts.expiry}
        value={choice}
        error={isOwn ? undefined : error}
        onInput={(value) => onInput({ own, choice: value })}
        choices={expiryChoices.map((one) => ({ value: one, label: texts.expiryChoices[one] }))}
      />
      {isOwn && (
        <TextField
          label={texts.expiryTime}
          hint={texts.expiryHint}
          type="datetime-local"
          value={own}
          error={error}
          onInput={(value) => onInput({ choice, own: value })}
        />
      )}
    </>
  );
}
