// A person's own account: its data, password, second factors and sessions. Must not show a secret longer than the
// dialog that created it.

import { useState } from 'preact/hooks';
import type { OperationResponse } from '../../api/call.ts';
import { useApiList, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { formatMoment } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { useFields } from '../../parts/field.tsx';
import { Facts, Page, QueryContent, Section } from '../../parts/page.tsx';
import { type Column, PagedTable, useNamedColumns } from '../../parts/table.tsx';
import { useAction, useShowFault } from '../../parts/toasts.tsx';
import { Badge, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { NewPasswordField } from '../sign-in/new-password-form.tsx';
import { AuthenticatorSection } from './authenticator-section.tsx';
import { PasswordDialog } from './factor-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { RecoveryCodesSection, useShownCodes } from './recovery-codes.tsx';
import { useAccountTexts } from './texts.ts';
import './account.css';

function ChangeDialog({ onClose }: { onClose(): void }) {
  const texts = useAccountTexts();
  const change = useAction('changePassword', texts.passwordChanged, {
    invalidates: ['listSessions'],
    onClose,
  });
  const { values, field } = useFields({ newPassword: '' }, change.error);
  return (
    <PasswordDialog
      title={texts.changePassword}
      request={change}
      shown={['newPassword']}
      onSubmit={(currentPassword) => change.mutate({ body: { currentPassword, ...values } })}
      onClose={onClose}
    >
      <NewPasswordField {...field('newPassword')} />
    </PasswordDialog>
  );
}

function PasswordSection() {
  const texts = useAccountTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section title={texts.password} hint={texts.passwordHint}>
      <div class="actions">
        <Button onClick={() => setIsOpen(true)}>{texts.changePassword}</Button>
      </div>
      {isOpen && <ChangeDialog onClose={() => setIsOpen(false)} />}
    </Section>
  );
}

type SessionEntry = OperationResponse<'listSessions'>['data'][number];

function EndButton({ entry }: { entry: SessionEntry }) {
  const texts = useAccountTexts();
  const { language } = useLanguage();
  const showFault = useShowFault();
  const end = useAction('endSession', texts.sessionEnded, { invalidates: ['listSessions'] });
  if (entry.isCurrent) return <Badge tone="good">{texts.thisOne}</Badge>;
  const { sessionId, createdAt } = entry;
  return (
    <Button
      isSmall
      isWorking={end.isPending}
      aria-label={texts.endSessionOf({ moment: formatMoment(language, createdAt) })}
      onClick={() => end.mutate({ path: { sessionId } }, { onError: showFault })}
    >
      {texts.endSession}
    </Button>
  );
}

function EndOthers({ onClose }: { onClose(): void }) {
  const texts = useAccountTexts();
  const end = useAction('endOtherSessions', texts.othersEnded, { invalidates: ['listSessions'], onClose });
  return (
    <FormDialog
      action={texts.endOthers}
      weight="bad"
      request={end}
      onSubmit={() => end.mutate({})}
      onClose={onClose}
    >
      <p>{texts.endOthersHint}</p>
    </FormDialog>
  );
}

function useSessionColumns(): Column<SessionEntry>[] {
  const texts = useAccountTexts();
  return useNamedColumns(texts, {
    type: ({ kind }) => texts.kinds[kind],
    signedIn: ({ createdAt }) => <Moment at={createdAt} />,
    expires: ({ expiresAt }) => <Moment at={expiresAt} />,
    actions: (entry) => <EndButton entry={entry} />,
  });
}

function SessionsSection() {
  const texts = useAccountTexts();
  const [isEnding, setIsEnding] = useState(false);
  const list = useApiList('listSessions', {});
  const hasOthers = list.entries.some(({ isCurrent }) => !isCurrent);
  return (
    <Section
      title={texts.sessions}
      hint={texts.sessionsHint}
      actions={hasOthers && <Button onClick={() => setIsEnding(true)}>{texts.endOthers}</Button>}
    >
      <PagedTable
        list={list}
        caption={texts.sessions}
        columns={useSessionColumns()}
        keyOf={({ sessionId }) => sessionId}
        empty={texts.noSessions}
      />
      {isEnding && <EndOthers onClose={() => setIsEnding(false)} />}
    </Section>
  );
}

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

export default function AccountScreen() {
  const texts = useAccountTexts();
  return (
    <Page title={texts.screens.account}>
      <div class="columns">
        <ProfileSection />
        <PasswordSection />
      </div>
      <SecondFactors />
      <SessionsSection />
    </Page>
  );
}
