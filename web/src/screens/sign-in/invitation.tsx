// Creates the account of an invitation, and signs the person in.

import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { call } from '../../api/call.ts';
import { LinkButton } from '../../parts/button.tsx';
import { useHashToken } from './hash-token.ts';
import { NewPasswordForm } from './new-password-form.tsx';
import { SignedOutTitle } from './signed-out-form.tsx';
import { useSignInTexts } from './texts.ts';

/** Why an invitation creates no account. */
type End = 'invalid' | 'taken' | 'missing';

function Ended({ end }: { end: End }) {
  const texts = useSignInTexts();
  const [title, text] = {
    invalid: [texts.inviteInvalidTitle, texts.inviteInvalid] as const,
    taken: [texts.inviteTakenTitle, texts.inviteTaken] as const,
    missing: [texts.inviteMissingTitle, texts.inviteMissing] as const,
  }[end];
  return (
    <div class="stack">
      <SignedOutTitle key={end} title={title} />
      <p>{text}</p>
      <LinkButton to="/">{texts.toSignIn}</LinkButton>
    </div>
  );
}

export default function Invitation() {
  const texts = useSignInTexts();
  const [, navigate] = useLocation();
  const token = useHashToken('invite');
  const [ended, setEnded] = useState<{ token: string; end: End } | null>(null);
  if (!token) return <Ended end="missing" />;
  if (ended?.token === token) return <Ended end={ended.end} />;
  const join = async (password: string) => {
    const { email } = await call('acceptInvitation', { body: { token, password } });
    // If the sign-in is refused, for example by a rate limit, the account exists all the same, and the next page
    // asks for the password.
    await call('signIn', { body: { email, password } }).catch(() => undefined);
    navigate('/', { replace: true });
  };
  return (
    <NewPasswordForm<End>
      key={token}
      title={texts.inviteTitle}
      lead={texts.inviteLead}
      action={texts.join}
      ends={{ invalid_invitation: 'invalid', email_taken: 'taken' }}
      send={join}
      onEnd={(end) => setEnded({ token, end })}
      below={
        <p class="quiet small">
          {texts.haveAccount} <Link href="/">{texts.toSignIn}</Link>
        </p>
      }
    />
  );
}
