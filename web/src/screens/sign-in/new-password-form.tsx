// A new password: its field, and the form of a page that was opened by an emailed link.

import { useState } from 'preact/hooks';
import { ApiProblem } from '../../api/call.ts';
import { useAsyncTask } from '../../base/async-task.ts';
import { CheckField, TextField } from '../../parts/field.tsx';
import { useExplain } from '../../texts/problems.ts';
import { SignedOutForm, type SignedOutFormProps } from './signed-out-form.tsx';
import { useSignInTexts } from './texts.ts';

type NewPasswordFieldProps = {
  value: string;
  onInput(value: string): void;
  error?: string | undefined;
};

/** A new password, which can be shown instead of typed twice. The hint states the rules, and the API checks them. */
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
      <CheckField label={texts.showPassword} value={isShown} onInput={setIsShown} />
    </>
  );
}

type NewPasswordFormProps<End extends string> = Pick<
  SignedOutFormProps,
  'title' | 'lead' | 'action' | 'below'
> & {
  send(password: string): Promise<void>;
  /** What ends the page instead of showing an error, by the code of the problem. */
  ends: Readonly<Record<string, End>>;
  onEnd(end: End): void;
};

export function NewPasswordForm<End extends string>(props: NewPasswordFormProps<End>) {
  const { send, ends, onEnd, ...form } = props;
  const [password, setPassword] = useState('');
  const task = useAsyncTask();
  const { fields } = useExplain()(task.fault);
  const submit = async () => {
    try {
      await send(password);
    } catch (error) {
      const end = error instanceof ApiProblem ? ends[error.problem.code] : undefined;
      if (!end) throw error;
      onEnd(end);
    }
  };
  return (
    <SignedOutForm {...form} task={task} shown={['password']} onSubmit={() => void task.run(submit)}>
      <NewPasswordField value={password} onInput={setPassword} error={fields.password} />
    </SignedOutForm>
  );
}
