// Changes the roles of a member, and ends a membership. Both apply at once, also to the person who acts.

import { useState } from 'preact/hooks';
import { call, type OperationResponse } from '../../api/call.ts';
import { useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { CheckField, FormError } from '../../parts/field.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import { sortRoles } from './may-change.ts';
import { RoleChoice } from './role-choice.tsx';
import { useTeamTexts } from './texts.ts';

export type Member = OperationResponse<'listMembers'>['data'][number];
type DialogProps = { member: Member; onClose(): void };

const changed = ['listMembers', 'listInvitations'] as const;

/** Changes the roles of a member. */
export function RolesDialog(props: DialogProps & { isOwnerLocked: boolean }) {
  const { member, isOwnerLocked, onClose } = props;
  const { accountId } = member;
  const { session, enter } = useSession();
  const texts = useTeamTexts();
  const { save, cancel } = useCommonTexts();
  const showToast = useShowToast();
  const explain = useExplain();
  const [roles, setRoles] = useState(sortRoles(member.roles));
  const isMe = accountId === session.accountId;
  const change = useApiMutation('changeMember', {
    refreshes: changed,
    onDone: () => {
      showToast(texts.changed);
      onClose();
      // The offered actions follow the rights of the session.
      if (isMe) void call('getSession', {}).then(({ session: now }) => now && enter(now));
    },
  });
  const fields = change.error ? explain(change.error).fields : {};
  return (
    <Dialog title={texts.changeTitle} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!change.isPending) change.mutate({ path: { accountId }, body: { roles } });
        }}
      >
        <FormError fault={change.error} shown={['roles']} />
        <p>
          {texts.changeFor} <bdi class="strong">{member.email}</bdi>
        </p>
        {isMe && <p class="notice notice-busy">{texts.ownChange}</p>}
        <RoleChoice
          chosen={roles}
          onInput={setRoles}
          isOwnerLocked={isOwnerLocked}
          error={fields.roles && roles.length === 0 ? texts.chooseRole : fields.roles}
        />
        <p class="quiet">{texts.changeHint}</p>
        <div class="actions">
          <Button type="submit" weight="main" isWorking={change.isPending}>
            {save}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Removes another member. */
export function RemoveDialog({ member, onClose }: DialogProps) {
  const texts = useTeamTexts();
  const showToast = useShowToast();
  const { accountId, email } = member;
  const remove = useApiMutation('removeMember', {
    refreshes: changed,
    onDone: () => {
      showToast(texts.removed);
      onClose();
    },
  });
  return (
    <Confirm
      title={texts.removeTitle}
      act={texts.removeAct}
      isWorking={remove.isPending}
      fault={remove.error}
      onConfirm={() => remove.mutate({ path: { accountId } })}
      onClose={onClose}
    >
      <p>
        {texts.removeHint} <bdi class="strong">{email}</bdi>
      </p>
      <p class="quiet">{texts.removeKeys}</p>
    </Confirm>
  );
}

/** Removes oneself, after ticking a checkbox that states the consequences. */
export function RemoveMyselfDialog({ member, onClose }: DialogProps) {
  const texts = useTeamTexts();
  const { cancel } = useCommonTexts();
  const { enter } = useSession();
  const { accountId } = member;
  const [isSure, setIsSure] = useState(false);
  const remove = useApiMutation('removeMember', { onDone: () => enter(null) });
  return (
    <Dialog title={texts.removeYouTitle} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure && !remove.isPending) remove.mutate({ path: { accountId } });
        }}
      >
        <FormError fault={remove.error} />
        <p class="notice notice-bad">{texts.removeYou}</p>
        <CheckField label={texts.removeYouSure} isOn={isSure} onInput={setIsSure} />
        <div class="actions">
          <Button type="submit" weight="bad" disabled={!isSure} isWorking={remove.isPending}>
            {texts.removeYouAct}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
