// Asks for the current password before what a stranger at an open window must not do.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useSession } from '../../api/session.tsx';
import { Button, type Weight } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormError, TextField } from '../../parts/field.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import { useAccountTexts } from './texts.ts';

/** Tells the browser's keeper of passwords whose password the form is about. */
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
  /** The act in its own words. */
  act: string;
  weight?: Weight;
  /** What will happen, and fields that stand before the password. */
  children?: ComponentChildren;
  isWorking: boolean;
  fault: unknown;
  /** Says in words of its own why it failed; null where the API's problem says it. */
  refusal?: ComponentChildren;
  /** Fields beside the password that say themselves what is wrong with them. */
  shown?: readonly string[];
  /** False where a field of `children` comes first. */
  isFirst?: boolean;
  onSubmit(currentPassword: string): void;
  onClose(): void;
};

/** A question that is answered with the password. */
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
