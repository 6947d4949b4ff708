// A new password: its field, and the form of a page that was opened by an emailed link.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ApiProblem } from '../../api/call.ts';
import { useAsyncTask } from '../../base/async-task.ts';
import { CheckField, type FieldProps, TextField, useFields } from '../../parts/field.tsx';
import { SignedOutForm, type SignedOutFormProps } from './signed-out-form.tsx';
import { useSignInTexts } from './texts.ts';

/** A new password, which can be shown instead of typed twice. The hint states the rules, and the API checks them. */
export function NewPasswordField(props: Omit<FieldProps<string>, 'label'>) {
  const texts = useSignInTexts();
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <TextField
        {...props}
        label={texts.newPassword}
        hint={texts.passwordRules}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        autoCapitalize="none"
        spellcheck={false}
        required
      />
      <CheckField label={texts.showPassword} value={isShown} onInput={setIsShown} />
    </>
  );
}

type NewPasswordFormProps = Pick<SignedOutFormProps, 'title' | 'lead' | 'action' | 'below'> & {
  send(password: string): Promise<void>;
  /** What replaces the form: after an error, by the code of the problem, or when it is `done`. */
  ends: Readonly<Record<string, ComponentChildren>>;
};

export function NewPasswordForm({ send, ends, ...form }: NewPasswordFormProps) {
  const [end, setEnd] = useState('');
  const task = useAsyncTask();
  const { values, field } = useFields({ password: '' }, task.fault);
  const submit = async () => {
    try {
      await send(values.password);
      setEnd('done');
    } catch (error) {
      const code = error instanceof ApiProblem ? error.problem.code : '';
      if (!ends[code]) throw error;
      setEnd(code);
    }
  };
  if (ends[end]) return <>{ends[end]}</>;
  return (
    <SignedOutForm {...form} task={task} shown={['password']} onSubmit={() => void task.run(submit)}>
      <NewPasswordField {...field('password')} />
    </SignedOutForm>
  );
}
