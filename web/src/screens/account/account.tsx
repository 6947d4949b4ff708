// A person's own account: its data, password, second factors and sessions. Must not show a secret longer than the
// dialog that created it.

import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { QueryContent } from '../../parts/states.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { AuthenticatorSection } from './authenticator-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { RecoveryCodesSection, useShownCodes } from './recovery-codes.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { useAccountTexts } from './texts.ts';
import './account.css';

function ProfileSection() {
  const { session } = useSession();
  const texts = useAccountTexts();
  const { roles } = useCommonTexts();
  const names: Readonly<Record<string, string>> = roles;
  return (
    <Section title={texts.profile}>
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
  const result = useApiQuery('getSecondFactors', {});
  const { showCodes, shown } = useShownCodes();
  return (
    <Section title={texts.factors} hint={texts.factorsHint}>
      <QueryContent result={result}>
        {({ totp, passkeys, recoveryCodesLeft }) => (
          <>
            <AuthenticatorSection confirmedAt={totp?.confirmedAt ?? null} onCodes={showCodes} />
            <PasskeysSection passkeys={passkeys} onCodes={showCodes} />
            <RecoveryCodesSection
              left={recoveryCodesLeft}
              hasFactor={totp !== null || passkeys.length > 0}
              onCodes={showCodes}
            />
          </>
        )}
      </QueryContent>
      {shown}
    </Section>
  );
}

/** Your account. */
export default function AccountScreen() {
  const texts = useAccountTexts();
  return (
    <Page title={texts.title}>
      <div class="columns">
        <ProfileSection />
        <PasswordSection />
      </div>
      <SecondFactors />
      <SessionsSection />
    </Page>
  );
}
