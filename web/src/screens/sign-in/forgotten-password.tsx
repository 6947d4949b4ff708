// Requests the email with a link to a new password. Must show the same whether the address has an account or
// not.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { call } from '../../api/call.ts';
import { useAsyncTask } from '../../base/async-task.ts';
import { useFirstFocus } from '../../base/first-focus.ts';
import { Button } from '../../parts/button.tsx';
import { FormError, TextField } from '../../parts/field.tsx';
import { useExplain } from '../../texts/problems.ts';
import { SignedOutTitle } from './signed-out-title.tsx';
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

/** Asks for the address. */
export default function ForgottenPassword() {
  const texts = useSignInTexts();
  const [email, setEmail] = useState('');
  const [isSent, setIsSent] = useState(false);
  const work = useAsyncTask();
  const explain = useExplain();
  const form = useFirstFocus(isSent);
  if (isSent) return <EmailSent email={email} onAgain={() => setIsSent(false)} />;
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(async () => {
          await call('askPasswordReset', { body: { email } });
          setIsSent(true);
        });
      }}
    >
      <SignedOutTitle title={texts.forgottenTitle} takesFocus={false} />
      <p>{texts.forgottenLead}</p>
      <FormError fault={work.fault} shown={['email']} />
      <TextField
        label={texts.email}
        type="email"
        autoComplete="username"
        value={email}
        onInput={setEmail}
        error={work.fault ? explain(work.fault).fields.email : undefined}
        required
      />
      <Button type="submit" weight="main" isWorking={work.isWorking}>
        {texts.sendLink}
      </Button>
      <Link href="/">{texts.toSignIn}</Link>
    </form>
  );
}
