// Sets a new password with an emailed link.

import { Link } from 'wouter-preact';
import { call } from '../../api/call.ts';
import { LinkButton } from '../../parts/button.tsx';
import { useHashToken } from './hash-token.ts';
import { NewPasswordForm } from './new-password-form.tsx';
import { SignedOutEnd } from './signed-out-form.tsx';
import { useSignInTexts } from './texts.ts';

function InvalidLink({ isMissing = false }: { isMissing?: boolean }) {
  const texts = useSignInTexts();
  return (
    <SignedOutEnd
      title={isMissing ? texts.resetMissingTitle : texts.resetInvalidTitle}
      text={isMissing ? texts.resetMissing : texts.resetInvalid}
    >
      <LinkButton to="/forgotten" weight="main">
        {texts.requestNewLink}
      </LinkButton>
      <Link href="/">{texts.toSignIn}</Link>
    </SignedOutEnd>
  );
}

export default function NewPassword() {
  const texts = useSignInTexts();
  const token = useHashToken('reset');
  if (!token) return <InvalidLink isMissing />;
  const done = (
    <SignedOutEnd title={texts.resetDoneTitle} text={texts.resetDone}>
      <LinkButton to="/" weight="main">
        {texts.toSignIn}
      </LinkButton>
    </SignedOutEnd>
  );
  return (
    <NewPasswordForm
      // Another link in the same tab starts again.
      key={token}
      title={texts.newPassword}
      lead={texts.resetLead}
      action={texts.setPassword}
      ends={{ done, invalid_password_reset: <InvalidLink /> }}
      send={async (password) => {
        await call('acceptPasswordReset', { body: { token, password } });
      }}
    />
  );
}
