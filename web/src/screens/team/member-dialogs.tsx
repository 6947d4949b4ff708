// Changes the roles of a member, and ends a membership. Both apply at once, also to the person who acts.

import { useState } from 'preact/hooks';
import { call, type OperationResponse } from '../../api/call.ts';
import { useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { useAction } from '../../parts/action.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { CheckField } from '../../parts/field.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import { sortRoles } from './may-change.ts';
import { RoleChoice } from './role-choice.tsx';
import { useTeamTexts } from './texts.ts';

export type Member = OperationResponse<'listMembers'>['data'][number];
type DialogProps = { member: Member; onClose(): void };

const invalidates = ['listMembers', 'listInvitations'] as const;

/** Changes the roles of a member. */
export function RolesDialog(props: DialogProps & { isOwnerLocked: boolean }) {
  const { member, isOwnerLocked, onClose } = props;
  const { accountId } = member;
  const { session, enter } = useSession();
  const texts = useTeamTexts();
  const { save } = useCommonTexts();
  const [roles, setRoles] = useState(sortRoles(member.roles));
  const isMe = accountId === session.accountId;
  const change = useAction('changeMember', texts.changed, {
    ...{ invalidates, onClose },
    // The offered actions follow the rights of the session.
    onSuccess: () => isMe && void call('getSession', {}).then(({ session: now }) => now && enter(now)),
  });
  const { fields } = useExplain()(change.error);
  return (
    <FormDialog
      title={texts.changeRoles}
      action={save}
      request={change}
      shown={['roles']}
      onSubmit={() => change.mutate({ path: { accountId }, body: { roles } })}
      onClose={onClose}
    >
      <p>
        {texts.changeFor} <bdi class="strong">{member.email}</bdi>
      </p>
      {isMe && <p class="notice notice-busy">{texts.ownChange}</p>}
      <RoleChoice chosen={roles} onInput={setRoles} isOwnerLocked={isOwnerLocked} error={fields.roles} />
      <p class="quiet">{texts.changeHint}</p>
    </FormDialog>
  );
}

/** Removes another member. */
export function RemoveDialog({ member, onClose }: DialogProps) {
  const texts = useTeamTexts();
  const { accountId, email } = member;
  const remove = useAction('removeMember', texts.removed, { invalidates, onClose });
  return (
    <FormDialog
      title={texts.removeTitle}
      action={texts.removeAct}
      weight="bad"
      request={remove}
      onSubmit={() => remove.mutate({ path: { accountId } })}
      onClose={onClose}
    >
      <p>
        {texts.removeHint} <bdi class="strong">{email}</bdi>
      </p>
      <p class="quiet">{texts.removeKeys}</p>
    </FormDialog>
  );
}

/** Removes oneself, after ticking a checkbox that states the consequences. */
export function RemoveMyselfDialog({ member: { accountId }, onClose }: DialogProps) {
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
