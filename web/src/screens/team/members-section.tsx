// The members of the company, and the actions on each of them.

import { useState } from 'preact/hooks';
import { useApiList } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, PagedTable, useActionsColumn } from '../../parts/table.tsx';
import { Badge, Moment } from '../../parts/values.tsx';
import { isOnlyOwner, mayChange } from './may-change.ts';
import { type Member, RemoveDialog, RemoveMyselfDialog, RolesDialog } from './member-dialogs.tsx';
import { RoleNames } from './role-choice.tsx';
import { useTeamTexts } from './texts.ts';

export type MemberList = ReturnType<typeof useMembers>;

/** The members of all pages so far. */
export function useMembers() {
  return useApiList('listMembers', { query: { limit: '100' } });
}

type MemberAction = { member: Member; action: 'changeRoles' | 'remove' };

function Actions(props: { member: Member; isOnly: boolean; onStep(step: MemberAction): void }) {
  const { member, isOnly, onStep } = props;
  const { session, may } = useSession();
  const texts = useTeamTexts();
  if (!may('members:manage') || !mayChange(session, member)) return null;
  return (
    <div class="actions member-actions">
      {(isOnly ? (['changeRoles'] as const) : (['changeRoles', 'remove'] as const)).map((action) => (
        <Button
          key={action}
          isSmall
          aria-label={`${texts[action]}: ${member.email}`}
          onClick={() => onStep({ member, action })}
        >
          {texts[action]}
        </Button>
      ))}
    </div>
  );
}

function useMemberColumns(
  isOnly: (member: Member) => boolean,
  onStep: (step: MemberAction) => void,
): Column<Member>[] {
  const { session } = useSession();
  const texts = useTeamTexts();
  return [
    {
      id: 'email',
      title: texts.email,
      cell: (member) => (
        <span class="row person">
          <bdi class="clamp">{member.email}</bdi>
          {member.accountId === session.accountId && <Badge tone="open">{texts.you}</Badge>}
        </span>
      ),
    },
    {
      id: 'roles',
      title: texts.roles,
      cell: (member) => (
        <span class="row person">
          <RoleNames roles={member.roles} />
          {isOnly(member) && <Badge tone="quiet">{texts.onlyOwner}</Badge>}
        </span>
      ),
    },
    { id: 'since', title: texts.since, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    useActionsColumn((member) => <Actions member={member} isOnly={isOnly(member)} onStep={onStep} />),
  ];
}

/** The list. */
export function MembersSection({ list }: { list: MemberList }) {
  const { session } = useSession();
  const texts = useTeamTexts();
  const [step, setStep] = useState<MemberAction | null>(null);
  const known = { members: list.entries, isComplete: !list.isPending && !list.hasNextPage };
  const isOnly = (member: Member) => isOnlyOwner(member, known);
  const columns = useMemberColumns(isOnly, setStep);
  const close = () => setStep(null);
  const Remove = step?.member.accountId === session.accountId ? RemoveMyselfDialog : RemoveDialog;
  const isOwner = session.roles.includes('owner');
  return (
    <Section title={texts.members} hint={isOwner ? texts.membersHintOwner : texts.membersHint}>
      <PagedTable
        list={list}
        caption={texts.members}
        columns={columns}
        keyOf={({ accountId }) => accountId}
        empty={texts.noMembers}
      />
      {step?.action === 'changeRoles' && (
        <RolesDialog member={step.member} isOwnerLocked={isOnly(step.member)} onClose={close} />
      )}
      {step?.action === 'remove' && <Remove member={step.member} onClose={close} />}
    </Section>
  );
}
