// One of the second factors: its name, its description or status, and its actions.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useSession } from '../../api/session.tsx';
import { type ActionFormProps, FormDialog } from '../../parts/dialog.tsx';
import { TextField, useFields } from '../../parts/field.tsx';
import { useAccountTexts } from './texts.ts';

type PasswordDialogProps = Omit<ActionFormProps, 'action' | 'children' | 'onSubmit'> &
  Partial<Pick<ActionFormProps, 'children'>> & {
    /** Also the label of the action, unless it has its own. */
    title: string;
    action?: string;
    /** False if a field of `children` comes first. */
    isFirst?: boolean;
    onSubmit(currentPassword: string): void;
  };

/** For actions that a stranger at an unlocked screen must not take. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, action = title, request, shown = [], isFirst = true, children, onSubmit, ...rest } = props;
  const { session } = useSession();
  const texts = useAccountTexts();
  const { values, field } = useFields({ currentPassword: '' }, request.error);
  return (
    <FormDialog
      {...rest}
      {...{ title, action, request }}
      shown={['currentPassword', ...shown]}
      onSubmit={() => onSubmit(values.currentPassword)}
    >
      {/* Tells the password manager to which account the form belongs. */}
      <input type="text" name="username" autoComplete="username" value={session.email} readOnly hidden />
      {children}
      <TextField
        {...field('currentPassword')}
        label={texts.currentPassword}
        hint={texts.currentPasswordHint}
        type="password"
        autoComplete="current-password"
        autoFocus={isFirst}
        required
      />
    </FormDialog>
  );
}

export function FactorSection(props: {
  title: string;
  action?: ComponentChildren;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="stack-small factor" aria-labelledby={id}>
      <header class="apart">
        <h3 id={id}>{props.title}</h3>
        {props.action && <div class="actions">{props.action}</div>}
      </header>
      {props.children}
    </section>
  );
}
