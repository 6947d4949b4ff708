// The members of the company, and the actions on each of them.

import { useState } from 'preact/hooks';
import { call, type OperationResponse } from '../../api/call.ts';
import { useApiList, useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { CheckField, FieldGroup, useFields } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, PagedTable, useNamedColumns } from '../../parts/table.tsx';
import { useAction } from '../../parts/toasts.tsx';
import { Badge, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { isOnlyOwner, mayChange, type RoleName, rolesToGive, sortRoles } from './may-change.ts';
import { useTeamTexts } from './texts.ts';

type RoleChoiceProps = {
  value: readonly RoleName[];
  onInput(roles: RoleName[]): void;
  error?: string | undefined;
  /** The role of owner can't be removed. */
  isOwnerLocked?: boolean;
};

export function RoleChoice({ value: chosen, onInput, error, isOwnerLocked = false }: RoleChoiceProps) {
  const { session } = useSession();
  const texts = useTeamTexts();
  const { roles: names } = useCommonTexts();
  const change = (role: RoleName, isOn: boolean) =>
    onInput(sortRoles(isOn ? [...chosen, role] : chosen.filter((one) => one !== role)));
  return (
    <FieldGroup
      class="stack role-choice"
      label={texts.roles}
      error={error && chosen.length === 0 ? texts.chooseRole : error}
    >
      {rolesToGive(session).map((role) => {
        const isLocked = role === 'owner' && isOwnerLocked;
        return (
          <CheckField
            key={role}
            label={names[role]}
            hint={isLocked ? texts.onlyOwnerHint : texts.roleHints[role]}
            value={chosen.includes(role)}
            isLocked={isLocked}
            onInput={(isOn) => change(role, isOn)}
          />
        );
      })}
    </FieldGroup>
  );
}

export function RoleNames({ roles }: { roles: readonly string[] }) {
  const { roles: names } = useCommonTexts();
  return (
    <span class="role-names">
      {sortRoles(roles)
        .map((role) => names[role])
        .join(', ')}
    </span>
  );
}

type Member = OperationResponse<'listMembers'>['data'][number];
type DialogProps = { member: Member; onClose(): void };

const invalidates = ['listMembers', 'listInvitations'] as const;

function RolesDialog(props: DialogProps & { isOwnerLocked: boolean }) {
  const { member, isOwnerLocked, onClose } = props;
  const { accountId } = member;
  const { session, enter } = useSession();
  const texts = useTeamTexts();
  const { save } = useCommonTexts();
  const isMe = accountId === session.accountId;
  const change = useAction('changeMember', texts.changed, {
    ...{ invalidates, onClose },
    // The offered actions follow the rights of the session.
    onSuccess: () => isMe && void call('getSession', {}).then(({ session: now }) => now && enter(now)),
  });
  const { values, field } = useFields({ roles: sortRoles(member.roles) }, change.error);
  return (
    <FormDialog
      title={texts.changeRoles}
      action={save}
      request={change}
      shown={['roles']}
      onSubmit={() => change.mutate({ path: { accountId }, body: values })}
      onClose={onClose}
    >
      <p>{texts.changeFor.parts({ email: <bdi class="strong">{member.email}</bdi> })}</p>
      {isMe && <p class="notice notice-busy">{texts.ownChange}</p>}
      <RoleChoice {...field('roles')} isOwnerLocked={isOwnerLocked} />
      <p class="quiet">{texts.changeHint}</p>
    </FormDialog>
  );
}

function RemoveDialog({ member, onClose }: DialogProps) {
  const texts = useTeamTexts();
  const { accountId, email } = member;
  const remove = useAction('removeMember', texts.removed, { invalidates, onClose });
  return (
    <FormDialog
      action={texts.removeAct}
      weight="bad"
      request={remove}
      onSubmit={() => remove.mutate({ path: { accountId } })}
      onClose={onClose}
    >
      <p>{texts.removeHint.parts({ email: <bdi class="strong">{email}</bdi> })}</p>
      <p class="quiet">{texts.removeKeys}</p>
    </FormDialog>
  );
}

/** Removes oneself, after ticking a checkbox that states the consequences. */
function RemoveMyselfDialog({ member: { accountId }, onClose }: DialogProps) {
  const texts = useTeamTexts();
  const { enter } = useSession();
  const [isSure, setIsSure] = useState(false);
  const remove = useApiMutation('removeMember', { onSuccess: () => enter(null) });
  return (
    <FormDialog
      title={texts.removeYouTitle}
      action={texts.removeYouAct}
      weight="bad"
      request={remove}
      isDisabled={!isSure}
      onSubmit={() => remove.mutate({ path: { accountId } })}
      onClose={onClose}
    >
      <p class="notice notice-bad">{texts.removeYou}</p>
      <CheckField label={texts.removeYouSure} value={isSure} onInput={setIsSure} />
    </FormDialog>
  );
}

export type MemberList = ReturnType<typeof useMembers>;

export function useMembers() {
  return useApiList('listMembers', { query: { limit: '100' } });
}

type MemberAction = { member: Member; action: 'changeRoles' | 'remove' };

function Actions(props: { member: Member; isOnly: boolean; onStep(step: MemberAction): void }) {
  const { member, isOnly, onStep } = props;
  const { session, may } = useSession();
  const common = useCommonTexts();
  const texts = useTeamTexts();
  if (!may('members:manage') || !mayChange(session, member)) return null;
  return (
    <div class="actions member-actions">
      {(isOnly ? (['changeRoles'] as const) : (['changeRoles', 'remove'] as const)).map((action) => (
        <Button
          key={action}
          isSmall
          aria-label={common.labelled({ label: texts[action], value: member.email })}
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
  return useNamedColumns(texts, {
    email: (member) => (
      <span class="row person">
        <bdi class="clamp">{member.email}</bdi>
        {member.accountId === session.accountId && <Badge tone="open">{texts.you}</Badge>}
      </span>
    ),
    roles: (member) => (
      <span class="row person">
        <RoleNames roles={member.roles} />
        {isOnly(member) && <Badge tone="quiet">{texts.onlyOwner}</Badge>}
      </span>
    ),
    since: ({ createdAt }) => <Moment at={createdAt} />,
    actions: (member) => <Actions member={member} isOnly={isOnly(member)} onStep={onStep} />,
  });
}

export function MembersSection({ list }: { list: MemberList }) {
  const { session } = useSession();
  const texts = useTeamTexts();
  const [step, setStep] = useState<MemberAction | null>(null);
  const known = { members: list.entries, isComplete: !list.isPending && !list.hasNextPage };
  const isOnly = (member: Member) => isOnlyOwner(member, known);
  const close = () => setStep(null);
  const Remove = step?.member.accountId === session.accountId ? RemoveMyselfDialog : RemoveDialog;
  return (
    <Section title={texts.members} hint={texts.membersHint}>
      <PagedTable
        list={list}
        caption={texts.members}
        columns={useMemberColumns(isOnly, setStep)}
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
