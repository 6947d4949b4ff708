// Creates the account of an invitation, and signs the person in.

import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
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

/** Why an invitation creates no account. */
type End = 'bad' | 'taken' | 'missing';

const ends: Readonly<Record<string, End>> = { invalid_invitation: 'bad', email_taken: 'taken' };

function Ended({ end }: { end: End }) {
  const texts = useSignInTexts();
  const [title, words] = {
    bad: [texts.inviteBadTitle, texts.inviteBad],
    taken: [texts.inviteTakenTitle, texts.inviteTaken],
    missing: [texts.inviteMissingTitle, texts.inviteMissing],
  }[end];
  return (
    <div class="stack">
      <SignedOutTitle key={end} title={title ?? ''} />
      <p>{words}</p>
      <LinkButton to="/">{texts.toSignIn}</LinkButton>
    </div>
  );
}

function JoinForm({ token, onEnd }: { token: string; onEnd(end: End): void }) {
  const texts = useSignInTexts();
  const [password, setPassword] = useState('');
  const { fault, isWorking, run } = useAsyncTask();
  const explain = useExplain();
  const form = useFirstFocus();
  const [, navigate] = useLocation();
  const join = async () => {
    try {
      const { email } = await call('acceptInvitation', { body: { token, password } });
      // If the sign-in is refused, for example by a rate limit, the account exists all the same, and the next page
      // asks for the password.
      await call('signIn', { body: { email, password } }).catch(() => undefined);
      navigate('/', { replace: true });
    } catch (refusal) {
      const end = refusal instanceof ApiProblem ? ends[refusal.problem.code] : undefined;
      if (!end) throw refusal;
      onEnd(end);
    }
  };
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void run(join);
      }}
    >
      <SignedOutTitle title={texts.inviteTitle} takesFocus={false} />
      <p>{texts.inviteLead}</p>
      <FormError fault={fault} shown={['password']} />
      <NewPasswordField
        value={password}
        onInput={setPassword}
        error={fault ? explain(fault).fields.password : undefined}
      />
      <Button type="submit" weight="main" isWorking={isWorking}>
        {texts.join}
      </Button>
      <p class="quiet small">
        {texts.haveAccount} <Link href="/">{texts.toSignIn}</Link>
      </p>
    </form>
  );
}

/** The page of an invitation. */
export default function Invitation() {
  const token = useHashToken('invite');
  const [ended, setEnded] = useState<{ token: string; end: End } | null>(null);
  if (!token) return <Ended end="missing" />;
  if (ended?.token === token) return <Ended end={ended.end} />;
  return <JoinForm key={token} token={token} onEnd={(end) => setEnded({ token, end })} />;
}
