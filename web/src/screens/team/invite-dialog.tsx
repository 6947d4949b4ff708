// Invites a person: address and roles, then the link, which is emailed to them and shown once.

import { useState } from 'preact/hooks';
import { ApiProblem, type OperationResponse } from '../../api/call.ts';
import { useApiMutation } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, FormDialog } from '../../parts/dialog.tsx';
import { ErrorBox, TextField } from '../../parts/field.tsx';
import { CodeLine, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import type { RoleName } from './may-change.ts';
import { RoleChoice } from './role-choice.tsx';
import { useTeamTexts } from './texts.ts';

type Created = OperationResponse<'inviteMember'> & { email: string };

/** Only its button closes it, so that the link is not lost by mistake. */
function InvitationLink({ created, onClose }: { created: Created; onClose(): void }) {
  const texts = useTeamTexts();
  const { done } = useCommonTexts();
  return (
    <Dialog title={created.isMailed ? texts.mailedTitle : texts.linkTitle}>
      <div class="stack">
        <p>{created.isMailed ? texts.mailedLead : texts.linkLead}</p>
        <CodeLine text={created.url} label={texts.link} />
        <p>
          {texts.linkFor} <bdi class="strong">{created.email}</bdi>, {texts.linkUntil}{' '}
          <Moment at={created.expiresAt} />.
        </p>
        <p class="quiet">{texts.linkOnce}</p>
        <div class="actions">
          <Button weight="main" onClick={onClose}>
            {done}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function InviteForm({ onCreated, onClose }: { onCreated(created: Created): void; onClose(): void }) {
  const texts = useTeamTexts();
  const [email, setEmail] = useState('');
  const [roles, setRoles] = useState<RoleName[]>([]);
  const invite = useApiMutation('inviteMember', {
    invalidates: ['listInvitations'],
    onSuccess: (response, { body }) => onCreated({ ...response, email: body.email }),
  });
  const { error } = invite;
  const { fields } = useExplain()(error);
  // The inviter learns only about members of their own company.
  const isTaken = error instanceof ApiProblem && error.problem.code === 'email_taken';
  return (
    <FormDialog
      title={texts.invite}
      action={texts.inviteAct}
      request={invite}
      errorMessage={isTaken ? <ErrorBox fault={error}>{texts.inviteTaken}</ErrorBox> : undefined}
      shown={['email', 'roles']}
      onSubmit={() => invite.mutate({ body: { email: email.trim(), roles } })}
      onClose={onClose}
    >
      <TextField
        label={texts.email}
        type="email"
        autoComplete="off"
        value={email}
        onInput={setEmail}
        error={fields.email}
        autoFocus
        required
      />
      <RoleChoice chosen={roles} onInput={setRoles} error={fields.roles} />
    </FormDialog>
  );
}

/** The form, then the result. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const [created, setCreated] = useState<Created | null>(null);
  if (created) return <InvitationLink key="created" created={created} onClose={onClose} />;
  return <InviteForm onCreated={setCreated} onClose={onClose} />;
}
