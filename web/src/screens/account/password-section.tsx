// Changes the password of one's own account.

import { useState } from 'preact/hooks';
import { useApiMutation } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Section } from '../../parts/page.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { useExplain } from '../../texts/problems.ts';
import { NewPasswordField } from '../sign-in/new-password-field.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { useAccountTexts } from './texts.ts';

function ChangeDialog({ onClose }: { onClose(): void }) {
  const texts = useAccountTexts();
  const showToast = useShowToast();
  const explain = useExplain();
  const [newPassword, setNewPassword] = useState('');
  const change = useApiMutation('changePassword', {
    refreshes: ['listSessions'],
    onDone: () => {
      showToast(texts.passwordChanged);
      onClose();
    },
  });
  const { error } = change;
  return (
    <PasswordDialog
      title={texts.changePassword}
      act={texts.changePassword}
      isWorking={change.isPending}
      fault={error}
      shown={['newPassword']}
      onSubmit={(currentPassword) => change.mutate({ body: { currentPassword, newPassword } })}
      onClose={onClose}
    >
      <NewPasswordField
        value={newPassword}
        onInput={setNewPassword}
        error={error ? explain(error).fields.newPassword : undefined}
      />
    </PasswordDialog>
  );
}

/** What a new password causes, and the button to set one. */
export function PasswordSection() {
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
