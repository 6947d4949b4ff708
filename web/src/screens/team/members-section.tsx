// The members of the company, and the actions on each of them.

import { useState } from 'preact/hooks';
import { useApiList } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
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

type MemberAction = { member: Member; act: 'roles' | 'remove' };

function Actions(props: { member: Member; isOnly: boolean; onStep(step: MemberAction): void }) {
  const { member, isOnly, onStep } = props;
  const { session, may } = useSession();
  const texts = useTeamTexts();
  if (!may('members:manage') || !mayChange(session, member)) return null;
  const { email } = member;
  return (
    <div class="actions member-actions">
      <Button
        isSmall
        aria-label={`${texts.changeRoles}: ${email}`}
        onClick={() => onStep({ member, act: 'roles' })}
      >
        {texts.changeRoles}
      </Button>
      {!isOnly && (
        <Button
          isSmall
          aria-label={`${texts.remove}: ${email}`}
          onClick={() => onStep({ member, act: 'remove' })}
        >
          {texts.remove}
        </Button>
      )}
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
        <span class="person">
          <bdi class="clamp">{member.email}</bdi>
          {member.accountId === session.accountId && <Badge tone="open">{texts.you}</Badge>}
        </span>
      ),
    },
    {
      id: 'roles',
      title: texts.roles,
      cell: (member) => (
        <span class="person">
          <RoleNames roles={member.roles} />
          {isOnly(member) && <Badge tone="quiet">{texts.onlyOwner}</Badge>}
        </span>
      ),
    },
    { id: 'since', title: texts.since, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      id: 'actions',
      title: texts.actions,
      isTitleHidden: true,
      isNumber: true,
      cell: (member) => <Actions member={member} isOnly={isOnly(member)} onStep={onStep} />,
    },
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
      {step?.act === 'roles' && (
        <RolesDialog member={step.member} isOwnerLocked={isOnly(step.member)} onClose={close} />
      )}
      {step?.act === 'remove' && <Remove member={step.member} onClose={close} />}
    </Section>
  );
}
