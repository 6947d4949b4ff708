// Invitations that can still be accepted. Their links were shown once, at their creation.

import { useState } from 'preact/hooks';
import type { OperationResponse } from '../../api/call.ts';
import { useApiList } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, PagedTable, useActionsColumn } from '../../parts/table.tsx';
import { Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import type { MemberList } from './members-section.tsx';
import { RoleNames } from './role-choice.tsx';
import { useTeamTexts } from './texts.ts';

type Invitation = OperationResponse<'listInvitations'>['data'][number];

function RevokeDialog({ invitation, onClose }: { invitation: Invitation; onClose(): void }) {
  const texts = useTeamTexts();
  const { invitationId, email } = invitation;
  const revoke = useAction('revokeInvitation', texts.revoked, { invalidates: ['listInvitations'], onClose });
  return (
    <FormDialog
      title={texts.revokeTitle}
      action={texts.revokeAct}
      weight="bad"
      request={revoke}
      onSubmit={() => revoke.mutate({ path: { invitationId } })}
      onClose={onClose}
    >
      <p>
        {texts.revokeHint} <bdi class="strong">{email}</bdi>
      </p>
    </FormDialog>
  );
}

function useInvitationColumns(
  members: MemberList,
  onRevoke: (invitation: Invitation) => void,
): Column<Invitation>[] {
  const { may } = useSession();
  const texts = useTeamTexts();
  const { none } = useCommonTexts();
  const emailOf = (account: string) => members.entries.find(({ accountId }) => accountId === account)?.email;
  const buttons = useActionsColumn((invitation: Invitation) => (
    <Button isSmall aria-label={`${texts.revoke}: ${invitation.email}`} onClick={() => onRevoke(invitation)}>
      {texts.revoke}
    </Button>
  ));
  return [
    { id: 'email', title: texts.email, cell: ({ email }) => <bdi class="clamp">{email}</bdi> },
    { id: 'roles', title: texts.roles, cell: ({ roles }) => <RoleNames roles={roles} /> },
    {
      id: 'invitedBy',
      title: texts.invitedBy,
      cell: ({ invitedBy }) => <bdi class="clamp">{emailOf(invitedBy) ?? none}</bdi>,
    },
    { id: 'expires', title: texts.expires, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
    ...(may('members:manage') ? [buttons] : []),
  ];
}

/** The list. `members` gives the names of the inviters. */
export function InvitationsSection({ members }: { members: MemberList }) {
  const texts = useTeamTexts();
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const list = useApiList('listInvitations', {});
  const columns = useInvitationColumns(members, setRevoked);
  return (
    <Section title={texts.invitations} hint={list.entries.length > 0 && texts.invitationsHint}>
      <PagedTable
        list={list}
        caption={texts.invitations}
        columns={columns}
        keyOf={({ invitationId }) => invitationId}
        empty={<p class="quiet">{texts.noInvitations}</p>}
      />
      {revoked && <RevokeDialog invitation={revoked} onClose={() => setRevoked(null)} />}
    </Section>
  );
}
