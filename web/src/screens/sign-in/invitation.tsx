// Creates the account of an invitation, and signs the person in.

import { Link, useLocation } from 'wouter-preact';
import { call } from '../../api/call.ts';
import { LinkButton } from '../../parts/button.tsx';
import { useHashToken } from './hash-token.ts';
import { NewPasswordForm } from './new-password-form.tsx';
import { SignedOutEnd } from './signed-out-form.tsx';
import { useSignInTexts } from './texts.ts';

export default function Invitation() {
  const texts = useSignInTexts();
  const [, navigate] = useLocation();
  const token = useHashToken('invite');
  // Why an invitation creates no account.
  const ended = (title: string, text: string) => (
    <SignedOutEnd title={title} text={text}>
      <LinkButton to="/">{texts.toSignIn}</LinkButton>
    </SignedOutEnd>
  );
  if (!token) return ended(texts.inviteMissingTitle, texts.inviteMissing);
  const join = async (password: string) => {
    const { email } = await call('acceptInvitation', { body: { token, password } });
    // If the sign-in is refused, for example by a rate limit, the account exists all the same, and the next page
    // asks for the password.
    await call('signIn', { body: { email, password } }).catch(() => undefined);
    navigate('/', { replace: true });
  };
  return (
    <NewPasswordForm
      key={token}
      title={texts.inviteTitle}
      lead={texts.inviteLead}
      action={texts.join}
      ends={{
        invalid_invitation: ended(texts.inviteInvalidTitle, texts.inviteInvalid),
        email_taken: ended(texts.inviteTakenTitle, texts.inviteTaken),
      }}
      send={join}
      below={
        <p class="quiet small">
          {texts.haveAccount} <Link href="/">{texts.toSignIn}</Link>
        </p>
      }
    />
  );
}
