// Requests the email with a link to a new password. Must show the same whether the address has an account or
// not.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { call } from '../../api/call.ts';
import { useAsyncTask } from '../../base/async-task.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { useExplain } from '../../texts/problems.ts';
import { SignedOutForm, SignedOutTitle } from './signed-out-form.tsx';
import { useSignInTexts } from './texts.ts';

function EmailSent({ email, onAgain }: { email: string; onAgain(): void }) {
  const texts = useSignInTexts();
  return (
    <div class="stack">
      <SignedOutTitle key="sent" title={texts.sentTitle} />
      <p>
        {texts.sentBefore} <bdi class="strong">{email}</bdi>
        {texts.sentAfter}
      </p>
      <p class="quiet">{texts.sentHint}</p>
      <div class="actions">
        <Button onClick={onAgain}>{texts.otherAddress}</Button>
        <Link href="/">{texts.toSignIn}</Link>
      </div>
    </div>
  );
}

export default function ForgottenPassword() {
  const texts = useSignInTexts();
  const [email, setEmail] = useState('');
  const [isSent, setIsSent] = useState(false);
  const task = useAsyncTask();
  const { fields } = useExplain()(task.fault);
  if (isSent) return <EmailSent email={email} onAgain={() => setIsSent(false)} />;
  const send = async () => {
    await call('askPasswordReset', { body: { email } });
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
      <TextField
        label={texts.email}
        type="email"
        autoComplete="username"
        value={email}
        onInput={setEmail}
        error={fields.email}
        required
      />
    </SignedOutForm>
  );
}
