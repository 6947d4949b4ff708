// Invites a person: address and roles, then the link, which is emailed to them and shown once.

import { useState } from 'preact/hooks';
import { ApiProblem, type OperationResponse } from '../../api/call.ts';
import { useApiMutation } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorBox, FormError, TextField } from '../../parts/field.tsx';
import { CodeLine, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import type { RoleName } from './may-change.ts';
import { RoleChoice } from './role-choice.tsx';
import { useTeamTexts } from './texts.ts';

type Made = OperationResponse<'inviteMember'> & { email: string };

/** Only its button closes it, so that the link is not lost by mistake. */
function MadeLink({ made, onClose }: { made: Made; onClose(): void }) {
  const texts = useTeamTexts();
  const { done } = useCommonTexts();
  return (
    <Dialog title={made.isMailed ? texts.mailedTitle : texts.linkTitle}>
      <div class="stack">
        <p>{made.isMailed ? texts.mailedLead : texts.linkLead}</p>
        <CodeLine text={made.url} label={texts.link} />
        <p>
          {texts.linkFor} <bdi class="strong">{made.email}</bdi>, {texts.linkUntil}{' '}
          <Moment at={made.expiresAt} />.
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

function Fault({ fault }: { fault: unknown }) {
  const texts = useTeamTexts();
  // The inviter learns only about members of their own company.
  if (!(fault instanceof ApiProblem) || fault.problem.code !== 'email_taken')
    return <FormError fault={fault} shown={['email', 'roles']} />;
  return (
    <ErrorBox fault={fault}>
      <p>{texts.inviteTaken}</p>
    </ErrorBox>
  );
}

type InviteFormProps = { onMade(made: Made): void; onClose(): void };

function InviteForm({ onMade, onClose }: InviteFormProps) {
  const texts = useTeamTexts();
  const { cancel } = useCommonTexts();
  const explain = useExplain();
  const [email, setEmail] = useState('');
  const [roles, setRoles] = useState<RoleName[]>([]);
  const invite = useApiMutation('inviteMember', {
    refreshes: ['listInvitations'],
    onDone: (answer, { body }) => onMade({ ...answer, email: body.email }),
  });
  const fields = invite.error ? explain(invite.error).fields : {};
  return (
    <Dialog title={texts.inviteTitle} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!invite.isPending) invite.mutate({ body: { email: email.trim(), roles } });
        }}
      >
        <Fault fault={invite.error} />
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
        <RoleChoice
          chosen={roles}
          onInput={setRoles}
          error={fields.roles && roles.length === 0 ? texts.chooseRole : fields.roles}
        />
        <div class="actions">
          <Button type="submit" weight="main" isWorking={invite.isPending}>
            {texts.inviteAct}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The form, then the result. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const [made, setMade] = useState<Made | null>(null);
  if (made) return <MadeLink key="made" made={made} onClose={onClose} />;
  return <InviteForm onMade={setMade} onClose={onClose} />;
}
