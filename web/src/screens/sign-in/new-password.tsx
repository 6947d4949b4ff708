// Sets a new password with an emailed link.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { call } from '../../api/call.ts';
import { LinkButton } from '../../parts/button.tsx';
import { useHashToken } from './hash-token.ts';
import { NewPasswordForm } from './new-password-form.tsx';
import { SignedOutTitle } from './signed-out-form.tsx';
import { useSignInTexts } from './texts.ts';

type End = 'set' | 'invalid';

function InvalidLink({ isMissing }: { isMissing: boolean }) {
  const texts = useSignInTexts();
  return (
    <div class="stack">
      <SignedOutTitle key="invalid" title={isMissing ? texts.resetMissingTitle : texts.resetInvalidTitle} />
      <p>{isMissing ? texts.resetMissing : texts.resetInvalid}</p>
      <LinkButton to="/forgotten" weight="main">
        {texts.requestNewLink}
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

export default function NewPassword() {
  const texts = useSignInTexts();
  const token = useHashToken('reset');
  const [ended, setEnded] = useState<{ token: string; end: End } | null>(null);
  // Another link in the same tab starts again.
  const end = token !== null && ended?.token === token ? ended.end : null;
  if (!token || end === 'invalid') return <InvalidLink isMissing={!token} />;
  if (end === 'set') return <PasswordSet />;
  return (
    <NewPasswordForm<End>
      key={token}
      title={texts.newPassword}
      lead={texts.resetLead}
      action={texts.setPassword}
      ends={{ invalid_password_reset: 'invalid' }}
      send={async (password) => {
        await call('acceptPasswordReset', { body: { token, password } });
        setEnded({ token, end: 'set' });
      }}
      onEnd={() => setEnded({ token, end: 'invalid' })}
    />
  );
}
