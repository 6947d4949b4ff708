// The authenticator app: adding it with a QR code and a first code, and removing it.

import { useState } from 'preact/hooks';
import type { OperationResponse } from '../../api/call.ts';
import { useApiMutation } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormError, TextField } from '../../parts/field.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { CodeLine, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import { FactorSection } from './factor-section.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { QrImage } from './qr-image.tsx';
import type { OnCodes } from './recovery-codes.tsx';
import { useAccountTexts } from './texts.ts';

type StartedTotp = OperationResponse<'beginTotp'>;

function BeginDialog({ onBegun, onClose }: { onBegun(begun: StartedTotp): void; onClose(): void }) {
  const texts = useAccountTexts();
  const begin = useApiMutation('beginTotp', { onDone: onBegun });
  return (
    <PasswordDialog
      title={texts.addApp}
      act={texts.goOn}
      isWorking={begin.isPending}
      fault={begin.error}
      onSubmit={(currentPassword) => begin.mutate({ body: { currentPassword } })}
      onClose={onClose}
    />
  );
}

type ScanProps = { begun: StartedTotp; onCodes: OnCodes; onClose(): void };

function ScanDialog({ begun, onCodes, onClose }: ScanProps) {
  const texts = useAccountTexts();
  const { cancel } = useCommonTexts();
  const showToast = useShowToast();
  const explain = useExplain();
  const [otp, setOtp] = useState('');
  const confirm = useApiMutation('confirmTotp', {
    refreshes: ['getSecondFactors'],
    onDone: ({ recoveryCodes }) => {
      onClose();
      if (recoveryCodes) onCodes(recoveryCodes);
      else showToast(texts.appAdded);
    },
  });
  return (
    <Dialog title={texts.scanTitle} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!confirm.isPending) confirm.mutate({ body: { otp: otp.replace(/\s/g, '') } });
        }}
      >
        <FormError fault={confirm.error} shown={['otp']} />
        <p>{texts.scanLead}</p>
        <QrImage text={begun.uri} label={texts.qrLabel} />
        <CodeLine text={begun.secret} label={texts.secret} />
        <TextField
          label={texts.code}
          hint={texts.codeHint}
          value={otp}
          onInput={setOtp}
          error={confirm.error ? explain(confirm.error).fields.otp : undefined}
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          required
        />
        <div class="actions">
          <Button type="submit" weight="main" isWorking={confirm.isPending}>
            {texts.switchOn}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

function RemoveDialog({ onClose }: { onClose(): void }) {
  const texts = useAccountTexts();
  const showToast = useShowToast();
  const remove = useApiMutation('removeTotp', {
    refreshes: ['getSecondFactors'],
    onDone: () => {
      showToast(texts.appRemoved);
      onClose();
    },
  });
  return (
    <PasswordDialog
      title={texts.removeApp}
      act={texts.removeApp}
      weight="bad"
      isWorking={remove.isPending}
      fault={remove.error}
      onSubmit={(currentPassword) => remove.mutate({ body: { currentPassword } })}
      onClose={onClose}
    >
      <p>{texts.removeAppHint}</p>
    </PasswordDialog>
  );
}

/** The status of the app. */
export function AuthenticatorSection({
  confirmedAt,
  onCodes,
}: {
  confirmedAt: string | null;
  onCodes: OnCodes;
}) {
  const texts = useAccountTexts();
  const [step, setStep] = useState<'begin' | 'remove' | StartedTotp | null>(null);
  const close = () => setStep(null);
  const action = confirmedAt ? (
    <Button onClick={() => setStep('remove')}>{texts.removeApp}</Button>
  ) : (
    <Button onClick={() => setStep('begin')}>{texts.addApp}</Button>
  );
  return (
    <FactorSection title={texts.app} action={action}>
      {confirmedAt ? (
        <p>
          {texts.appOn} <Moment at={confirmedAt} />
        </p>
      ) : (
        <p class="quiet">{texts.appNone}</p>
      )}
      {step === 'begin' && <BeginDialog onBegun={setStep} onClose={close} />}
      {step === 'remove' && <RemoveDialog onClose={close} />}
      {step !== null && typeof step === 'object' && (
        <ScanDialog begun={step} onCodes={onCodes} onClose={close} />
      )}
    </FactorSection>
  );
}
