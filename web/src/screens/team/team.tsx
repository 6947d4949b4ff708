// The members of the company, their roles, and open invitations.

import { useState } from 'preact/hooks';
import { ApiProblem, type Input, type OperationResponse } from '../../api/call.ts';
import { useApiList, useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { FormDialog, OnceDialog } from '../../parts/dialog.tsx';
import { ErrorBox, TextField, useFields } from '../../parts/field.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { type Column, PagedTable, useNamedColumns } from '../../parts/table.tsx';
import { useAction } from '../../parts/toasts.tsx';
import { CodeLine, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { type MemberList, MembersSection, RoleChoice, RoleNames, useMembers } from './members-section.tsx';
import { useTeamTexts } from './texts.ts';
import './team.css';

type Created = OperationResponse<'inviteMember'> & { email: string };

function InvitationLink({ created, onClose }: { created: Created; onClose(): void }) {
  const texts = useTeamTexts();
  const { done } = useCommonTexts();
  return (
    <OnceDialog
      title={created.isMailed ? texts.mailedTitle : texts.linkTitle}
      action={done}
      onClose={onClose}
    >
      <p>{created.isMailed ? texts.mailedLead : texts.linkLead}</p>
      <CodeLine text={created.url} label={texts.link} />
      <p>
        {texts.linkFor.parts({
          email: <bdi class="strong">{created.email}</bdi>,
          time: <Moment at={created.expiresAt} />,
        })}
      </p>
      <p class="quiet">{texts.linkOnce}</p>
    </OnceDialog>
  );
}

function InviteForm({ onCreated, onClose }: { onCreated(created: Created): void; onClose(): void }) {
  const texts = useTeamTexts();
  const invite = useApiMutation('inviteMember', {
    invalidates: ['listInvitations'],
    onSuccess: (response, { body }) => onCreated({ ...response, email: body.email }),
  });
  const { error } = invite;
  const { values, field } = useFields<Input<'inviteMember'>['body']>({ email: '', roles: [] }, error);
  // The inviter learns only about members of their own company.
  const isTaken = error instanceof ApiProblem && error.problem.code === 'email_taken';
  return (
    <FormDialog
      title={texts.invite}
      action={texts.inviteAct}
      request={invite}
      errorMessage={isTaken ? <ErrorBox fault={error}>{texts.inviteTaken}</ErrorBox> : undefined}
      shown={['email', 'roles']}
      onSubmit={() => invite.mutate({ body: { ...values, email: values.email.trim() } })}
      onClose={onClose}
    >
      <TextField {...field('email')} label={texts.email} type="email" autoComplete="off" autoFocus required />
      <RoleChoice {...field('roles')} />
    </FormDialog>
  );
}

function InviteDialog({ onClose }: { onClose(): void }) {
  const [created, setCreated] = useState<Created | null>(null);
  if (created) return <InvitationLink key="created" created={created} onClose={onClose} />;
  return <InviteForm onCreated={setCreated} onClose={onClose} />;
}

type Invitation = OperationResponse<'listInvitations'>['data'][number];

function RevokeDialog({ invitation, onClose }: { invitation: Invitation; onClose(): void }) {
  const texts = useTeamTexts();
  const { invitationId, email } = invitation;
  const revoke = useAction('revokeInvitation', texts.revoked, { invalidates: ['listInvitations'], onClose });
  return (
    <FormDialog
      action={texts.revokeAct}
      weight="bad"
      request={revoke}
      onSubmit={() => revoke.mutate({ path: { invitationId } })}
      onClose={onClose}
    >
      <p>{texts.revokeHint.parts({ email: <bdi class="strong">{email}</bdi> })}</p>
    </FormDialog>
  );
}

function useInvitationColumns(
  members: MemberList,
  onRevoke: (invitation: Invitation) => void,
): Column<Invitation>[] {
  const { may } = useSession();
  const common = useCommonTexts();
  const texts = useTeamTexts();
  const { none } = useCommonTexts();
  const emailOf = (account: string) => members.entries.find(({ accountId }) => accountId === account)?.email;
  return useNamedColumns(texts, {
    email: ({ email }) => <bdi class="clamp">{email}</bdi>,
    roles: ({ roles }) => <RoleNames roles={roles} />,
    invitedBy: ({ invitedBy }) => <bdi class="clamp">{emailOf(invitedBy) ?? none}</bdi>,
    expires: ({ expiresAt }) => <Moment at={expiresAt} />,
    actions:
      may('members:manage') &&
      ((invitation) => (
        <Button
          isSmall
          aria-label={common.labelled({ label: texts.revoke, value: invitation.email })}
          onClick={() => onRevoke(invitation)}
        >
          {texts.revoke}
        </Button>
      )),
  });
}

/** The list. `members` gives the names of the inviters. */
function InvitationsSection({ members }: { members: MemberList }) {
  const texts = useTeamTexts();
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const list = useApiList('listInvitations', {});
  return (
    <Section title={texts.invitations} hint={list.entries.length > 0 && texts.invitationsHint}>
      <PagedTable
        list={list}
        caption={texts.invitations}
        columns={useInvitationColumns(members, setRevoked)}
        keyOf={({ invitationId }) => invitationId}
        empty={<p class="quiet">{texts.noInvitations}</p>}
      />
      {revoked && <RevokeDialog invitation={revoked} onClose={() => setRevoked(null)} />}
    </Section>
  );
}

export default function Team() {
  const texts = useTeamTexts();
  const { may } = useSession();
  const [isInviting, setIsInviting] = useState(false);
  const members = useMembers();
  const invite = may('members:manage') && (
    <Button weight="main" onClick={() => setIsInviting(true)}>
      {texts.invite}
    </Button>
  );
  return (
    <Page title={texts.screens.team} actions={invite}>
      <MembersSection list={members} />
      <InvitationsSection members={members} />
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
    </Page>
  );
}
