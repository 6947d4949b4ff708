// Recovery codes: shown once at their creation, to be stored elsewhere. Must not be stored in this browser.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { saveFile } from '../../base/save-file.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { CopyButton } from '../../parts/values.tsx';
import { FactorSection, PasswordDialog } from './factor-section.tsx';
import { useAccountTexts } from './texts.ts';

export type OnCodes = (codes: readonly string[]) => void;

/** Only a button closes it, so that a slip does not lose codes that are shown only once. */
function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const texts = useAccountTexts();
  const { session } = useSession();
  const save = () => {
    const lines = [texts.codesFileHead(session.email), '', ...codes, ''];
    saveFile(texts.codesFile, new Blob([lines.join('\r\n')], { type: 'text/plain;charset=utf-8' }));
  };
  return (
    <Dialog title={texts.codesTitle}>
      <div class="stack">
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
        <div class="actions">
          <Button weight="main" onClick={onClose}>
            {texts.codesKept}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** The dialog of codes that were just generated, and the function that opens it. */
export function useShownCodes(): { showCodes: OnCodes; shown: ComponentChildren } {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const shown = codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />;
  return { showCodes: setCodes, shown };
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
          {texts.codesLeft(left)} {left <= fewCodes && <strong>{texts.codesFew}</strong>}
        </p>
      ) : (
        <p class="quiet">{texts.codesNone}</p>
      )}
      {isOpen && <RenewDialog onCodes={onCodes} onClose={() => setIsOpen(false)} />}
    </FactorSection>
  );
}
