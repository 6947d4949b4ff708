// A person's own account: who they are, their password, their second factors and where they are signed in. It must never
// show a secret longer than the dialog that it was made in.

import { useAsk } from '../../api/ask.ts';
import { useSession } from '../../api/session.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { Answered } from '../../parts/states.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { AppPart } from './app-part.tsx';
import { PasskeysPart } from './passkeys-part.tsx';
import { PasswordSection } from './password-section.tsx';
import { CodesPart, useShownCodes } from './recovery-codes.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { useAccountTexts } from './texts.ts';
import './account.css';

function You() {
  const { session } = useSession();
  const texts = useAccountTexts();
  const { roles } = useCommonTexts();
  const names: Readonly<Record<string, string>> = roles;
  return (
    <Section title={texts.you}>
      <Facts
        items={[
          [texts.email, <bdi key="email">{session.email}</bdi>],
          [texts.company, <bdi key="company">{session.companyName}</bdi>],
          [texts.roles, session.roles.map((role) => names[role] ?? role).join(', ')],
        ]}
      />
    </Section>
  );
}

function SecondFactors() {
  const texts = useAccountTexts();
  const result = useAsk('getSecondFactors', {});
  const { showCodes, shown } = useShownCodes();
  return (
    <Section title={texts.factors} hint={texts.factorsHint}>
      <Answered result={result}>
        {({ totp, passkeys, recoveryCodesLeft }) => (
          <>
            <AppPart confirmedAt={totp?.confirmedAt ?? null} onCodes={showCodes} />
            <PasskeysPart passkeys={passkeys} onCodes={showCodes} />
            <CodesPart
              left={recoveryCodesLeft}
              hasFactor={totp !== null || passkeys.length > 0}
              onCodes={showCodes}
            />
          </>
        )}
      </Answered>
      {shown}
    </Section>
  );
}

/** Your account. */
export default function Account() {
  const texts = useAccountTexts();
  return (
    <Page title={texts.title}>
      <div class="columns">
        <You />
        <PasswordSection />
      </div>
      <SecondFactors />
      <SessionsSection />
    </Page>
  );
}
