// Changes the password of one's own account.

import { useState } from 'preact/hooks';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Section } from '../../parts/page.tsx';
import { useExplain } from '../../texts/problems.ts';
import { NewPasswordField } from '../sign-in/new-password-form.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { useAccountTexts } from './texts.ts';

function ChangeDialog({ onClose }: { onClose(): void }) {
  const texts = useAccountTexts();
  const [newPassword, setNewPassword] = useState('');
  const change = useAction('changePassword', texts.passwordChanged, {
    invalidates: ['listSessions'],
    onClose,
  });
  const { fields } = useExplain()(change.error);
  return (
    <PasswordDialog
      title={texts.changePassword}
      request={change}
      shown={['newPassword']}
      onSubmit={(currentPassword) => change.mutate({ body: { currentPassword, newPassword } })}
      onClose={onClose}
    >
      <NewPasswordField value={newPassword} onInput={setNewPassword} error={fields.newPassword} />
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
