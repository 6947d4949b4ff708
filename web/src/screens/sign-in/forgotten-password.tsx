// Requests the email with a link to a new password. Must show the same whether the address has an account or
// not.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { call } from '../../api/call.ts';
import { useAsyncTask } from '../../base/async-task.ts';
import { Button } from '../../parts/button.tsx';
import { TextField, useFields } from '../../parts/field.tsx';
import { SignedOutEnd, SignedOutForm } from './signed-out-form.tsx';
import { useSignInTexts } from './texts.ts';

function EmailSent({ email, onAgain }: { email: string; onAgain(): void }) {
  const texts = useSignInTexts();
  return (
    <SignedOutEnd
      title={texts.sentTitle}
      text={texts.sent.parts({ email: <bdi class="strong">{email}</bdi> })}
    >
      <p class="quiet">{texts.sentHint}</p>
      <div class="actions">
        <Button onClick={onAgain}>{texts.otherAddress}</Button>
        <Link href="/">{texts.toSignIn}</Link>
      </div>
    </SignedOutEnd>
  );
}

export default function ForgottenPassword() {
  const texts = useSignInTexts();
  const [isSent, setIsSent] = useState(false);
  const task = useAsyncTask();
  const { values, field } = useFields({ email: '' }, task.fault);
  if (isSent) return <EmailSent email={values.email} onAgain={() => setIsSent(false)} />;
  const send = async () => {
    await call('askPasswordReset', { body: values });
    setIsSent(true);
  };
  return (
    <SignedOutForm
      title={texts.forgottenTitle}
      lead={texts.forgottenLead}
      action={texts.sendLink}
      task={task}
      shown={['email']}
      onSubmit={() => void task.run(send)}
      below={<Link href="/">{texts.toSignIn}</Link>}
    >
      <TextField {...field('email')} label={texts.email} type="email" autoComplete="username" required />
    </SignedOutForm>
  );
}
