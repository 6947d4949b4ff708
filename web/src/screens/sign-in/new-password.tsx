// Sets a new password with an emailed link.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ApiProblem, call } from '../../api/call.ts';
import { useAsyncTask } from '../../base/async-task.ts';
import { useFirstFocus } from '../../base/first-focus.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';
import { useExplain } from '../../texts/problems.ts';
import { useHashToken } from './hash-token.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { SignedOutTitle } from './signed-out-title.tsx';
import { useSignInTexts } from './texts.ts';

function InvalidLink({ isMissing }: { isMissing: boolean }) {
  const texts = useSignInTexts();
  return (
    <div class="stack">
      <SignedOutTitle key="not-good" title={isMissing ? texts.resetMissingTitle : texts.resetBadTitle} />
      <p>{isMissing ? texts.resetMissing : texts.resetBad}</p>
      <LinkButton to="/forgotten" weight="main">
        {texts.askNewLink}
      </LinkButton>
      <Link href="/">{texts.toSignIn}</Link>
    </div>
  );
}

function PasswordSet() {
  const texts = useSignInTexts();
  return (
    <div class="stack">
      <SignedOutTitle key="set" title={texts.resetDoneTitle} />
      <p>{texts.resetDone}</p>
      <LinkButton to="/" weight="main">
        {texts.toSignIn}
      </LinkButton>
    </div>
  );
}

function PasswordForm({ token, onSet, onBad }: { token: string; onSet(): void; onBad(): void }) {
  const texts = useSignInTexts();
  const [password, setPassword] = useState('');
  const { fault, isWorking, run } = useAsyncTask();
  const explain = useExplain();
  const form = useFirstFocus();
  const send = async () => {
    try {
      await call('acceptPasswordReset', { body: { token, password } });
      onSet();
    } catch (refusal) {
      if (!(refusal instanceof ApiProblem) || refusal.problem.code !== 'invalid_password_reset')
        throw refusal;
      onBad();
    }
  };
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void run(send);
      }}
    >
      <SignedOutTitle title={texts.resetTitle} takesFocus={false} />
      <p>{texts.resetLead}</p>
      <FormError fault={fault} shown={['password']} />
      <NewPasswordField
        value={password}
        onInput={setPassword}
        error={fault ? explain(fault).fields.password : undefined}
      />
      <Button type="submit" weight="main" isWorking={isWorking}>
        {texts.setPassword}
      </Button>
    </form>
  );
}

/** The page of the link. */
export default function NewPassword() {
  const token = useHashToken('reset');
  const [ended, setEnded] = useState<{ token: string; isSet: boolean } | null>(null);
  // Another link in the same tab starts again.
  if (!token || (ended?.token === token && !ended.isSet)) return <InvalidLink isMissing={!token} />;
  if (ended?.token === token) return <PasswordSet />;
  const end = (isSet: boolean) => () => setEnded({ token, isSet });
  return <PasswordForm key={token} token={token} onSet={end(true)} onBad={end(false)} />;
}
