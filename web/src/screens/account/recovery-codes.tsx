// Recovery codes: shown once at their creation, to be stored elsewhere. Must not be stored in this browser.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { saveFile } from '../../base/save-file.ts';
import { Button } from '../../parts/button.tsx';
import { OnceDialog } from '../../parts/dialog.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { CopyButton } from '../../parts/values.tsx';
import { FactorSection, PasswordDialog } from './factor-section.tsx';
import { useAccountTexts } from './texts.ts';

/** Shows new codes, or the message if there are none. */
export type OnCodes = (codes: readonly string[] | null, message?: string) => void;

function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const texts = useAccountTexts();
  const { session } = useSession();
  const save = () => {
    const lines = [texts.codesFileHead({ email: session.email }), '', ...codes, ''];
    saveFile(texts.codesFile, new Blob([lines.join('\r\n')], { type: 'text/plain;charset=utf-8' }));
  };
  return (
    <OnceDialog title={texts.codesTitle} action={texts.codesKept} onClose={onClose}>
      <p>{texts.codesLead}</p>
      <ol class="recovery-codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div class="actions">
        <CopyButton text={codes.join('\n')} />
        <Button isSmall onClick={save}>
          {texts.saveCodes}
        </Button>
      </div>
    </OnceDialog>
  );
}

/** The dialog of codes that were just generated, and the function that opens it. */
export function useShownCodes(): { showCodes: OnCodes; shown: ComponentChildren } {
  const showToast = useShowToast();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const shown = codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />;
  const showCodes: OnCodes = (next, message = '') => (next ? setCodes(next) : showToast(message));
  return { showCodes, shown };
}

function RenewDialog({ onCodes, onClose }: { onCodes: OnCodes; onClose(): void }) {
  const texts = useAccountTexts();
  const renew = useApiMutation('makeRecoveryCodes', {
    invalidates: ['getSecondFactors'],
    onSuccess: ({ recoveryCodes }) => {
      onClose();
      onCodes(recoveryCodes);
    },
  });
  return (
    <PasswordDialog
      title={texts.renewCodes}
      request={renew}
      onSubmit={(currentPassword) => renew.mutate({ body: { currentPassword } })}
      onClose={onClose}
    >
      <p>{texts.renewHint}</p>
    </PasswordDialog>
  );
}

/** So few that the person may be locked out soon. */
const fewCodes = 3;

export function RecoveryCodesSection(props: { left: number; hasFactor: boolean; onCodes: OnCodes }) {
  const { left, hasFactor, onCodes } = props;
  const texts = useAccountTexts();
  const [isOpen, setIsOpen] = useState(false);
  const action = hasFactor && <Button onClick={() => setIsOpen(true)}>{texts.renewCodes}</Button>;
  return (
    <FactorSection title={texts.codes} action={action}>
      {hasFactor ? (
        <p>
          {texts.codesLeft({ count: left })} {left <= fewCodes && <strong>{texts.codesFew}</strong>}
        </p>
      ) : (
        <p class="quiet">{texts.codesNone}</p>
      )}
      {isOpen && <RenewDialog onCodes={onCodes} onClose={() => setIsOpen(false)} />}
    </FactorSection>
  );
}
