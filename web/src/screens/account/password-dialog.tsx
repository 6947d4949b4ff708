// Asks for the current password before actions that a stranger at an unlocked screen must not take.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useSession } from '../../api/session.tsx';
import { Button, type Weight } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormError, TextField } from '../../parts/field.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import { useAccountTexts } from './texts.ts';

/** Tells the password manager to which account the form belongs. */
function AccountUsername() {
  const { session } = useSession();
  return <input type="text" name="username" autoComplete="username" value={session.email} readOnly hidden />;
}

/** The field of the current password. */
function CurrentPasswordField(props: {
  value: string;
  onInput(value: string): void;
  fault: unknown;
  autoFocus?: boolean;
}) {
  const texts = useAccountTexts();
  const explain = useExplain();
  const { value, onInput, fault, autoFocus = false } = props;
  return (
    <TextField
      label={texts.currentPassword}
      hint={texts.currentPasswordHint}
      type="password"
      autoComplete="current-password"
      autoFocus={autoFocus}
      value={value}
      onInput={onInput}
      error={fault ? explain(fault).fields.currentPassword : undefined}
      required
    />
  );
}

export type PasswordDialogProps = {
  title: string;
  /** The label of the action. */
  act: string;
  weight?: Weight;
  /** What will happen, and fields before the password. */
  children?: ComponentChildren;
  isWorking: boolean;
  fault: unknown;
  /** A specific error message; null to show the API's problem. */
  refusal?: ComponentChildren;
  /** Fields beside the password that show their own errors. */
  shown?: readonly string[];
  /** False if a field of `children` comes first. */
  isFirst?: boolean;
  onSubmit(currentPassword: string): void;
  onClose(): void;
};

/** A dialog that requires the password. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, act, weight = 'main', isWorking, fault, refusal, shown = [], isFirst = true } = props;
  const { cancel } = useCommonTexts();
  const [password, setPassword] = useState('');
  return (
    <Dialog title={title} onClose={props.onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWorking) props.onSubmit(password);
        }}
      >
        <AccountUsername />
        {refusal ?? <FormError fault={fault} shown={['currentPassword', ...shown]} />}
        {props.children}
        <CurrentPasswordField value={password} onInput={setPassword} fault={fault} autoFocus={isFirst} />
        <div class="actions">
          <Button type="submit" weight={weight} isWorking={isWorking}>
            {act}
          </Button>
          <Button onClick={props.onClose}>{cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
