// The field for a new password, with a button to show it instead of a second field. The hint states the rules, and
// the API checks them.

import { useState } from 'preact/hooks';
import { CheckField, TextField } from '../../parts/field.tsx';
import { useSignInTexts } from './texts.ts';

export type NewPasswordFieldProps = {
  value: string;
  onInput(value: string): void;
  error?: string | undefined;
};

/** A new password, which can be shown. */
export function NewPasswordField({ value, onInput, error }: NewPasswordFieldProps) {
  const texts = useSignInTexts();
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <TextField
        label={texts.newPassword}
        hint={texts.passwordRules}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        autoCapitalize="none"
        spellcheck={false}
        value={value}
        onInput={onInput}
        error={error}
        required
      />
      <CheckField label={texts.showPassword} isOn={isShown} onInput={setIsShown} />
    </>
  );
}
