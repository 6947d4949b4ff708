// The authenticator app: adding it with a QR code and a first code, and removing it.

import { useEffect, useState } from 'preact/hooks';
import type { OperationResponse } from '../../api/call.ts';
import { useApiMutation } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { TextField, useFields } from '../../parts/field.tsx';
import { FailedState, LoadingState } from '../../parts/page.tsx';
import { useAction } from '../../parts/toasts.tsx';
import { CodeLine, Moment } from '../../parts/values.tsx';
import { FactorSection, PasswordDialog } from './factor-section.tsx';
import type { OnCodes } from './recovery-codes.tsx';
import { useAccountTexts } from './texts.ts';

/** Drawn in the browser: it contains a secret that must not be sent anywhere. It is an image, no part of the document. */
function QrImage({ text, label }: { text: string; label: string }) {
  const [svg, setSvg] = useState<string | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  useEffect(() => {
    import('qr').then(({ default: encodeQR }) => setSvg(encodeQR(text, 'svg', { border: 4 })), setFault);
  }, [text]);
  if (fault) return <FailedState fault={fault} />;
  if (!svg) return <LoadingState />;
  return <img class="qr-picture" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={label} />;
}

type StartedTotp = OperationResponse<'beginTotp'>;

function StartDialog({ onStarted, onClose }: { onStarted(started: StartedTotp): void; onClose(): void }) {
  const texts = useAccountTexts();
  const start = useApiMutation('beginTotp', { onSuccess: onStarted });
  return (
    <PasswordDialog
      title={texts.addApp}
      action={texts.continue}
      request={start}
      onSubmit={(currentPassword) => start.mutate({ body: { currentPassword } })}
      onClose={onClose}
    />
  );
}

type ScanProps = { started: StartedTotp; onCodes: OnCodes; onClose(): void };

function ScanDialog({ started, onCodes, onClose }: ScanProps) {
  const texts = useAccountTexts();
  const confirm = useApiMutation('confirmTotp', {
    invalidates: ['getSecondFactors'],
    onSuccess: ({ recoveryCodes }) => {
      onClose();
      onCodes(recoveryCodes, texts.appAdded);
    },
  });
  const { values, field } = useFields({ otp: '' }, confirm.error);
  return (
    <FormDialog
      title={texts.scanTitle}
      action={texts.switchOn}
      request={confirm}
      shown={['otp']}
      onSubmit={() => confirm.mutate({ body: { otp: values.otp.replace(/\s/g, '') } })}
      onClose={onClose}
    >
      <p>{texts.scanLead}</p>
      <QrImage text={started.uri} label={texts.qrLabel} />
      <CodeLine text={started.secret} label={texts.secret} />
      <TextField
        {...field('otp')}
        label={texts.code}
        hint={texts.codeHint}
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
        required
      />
    </FormDialog>
  );
}

function RemoveDialog({ onClose }: { onClose(): void }) {
  const texts = useAccountTexts();
  const remove = useAction('removeTotp', texts.appRemoved, { invalidates: ['getSecondFactors'], onClose });
  return (
    <PasswordDialog
      title={texts.removeApp}
      weight="bad"
      request={remove}
      onSubmit={(currentPassword) => remove.mutate({ body: { currentPassword } })}
      onClose={onClose}
    >
      <p>{texts.removeAppHint}</p>
    </PasswordDialog>
  );
}

export function AuthenticatorSection(props: { confirmedAt: string | null; onCodes: OnCodes }) {
  const { confirmedAt, onCodes } = props;
  const texts = useAccountTexts();
  const [step, setStep] = useState<'start' | 'remove' | StartedTotp | null>(null);
  const close = () => setStep(null);
  const action = confirmedAt ? (
    <Button onClick={() => setStep('remove')}>{texts.removeApp}</Button>
  ) : (
    <Button onClick={() => setStep('start')}>{texts.addApp}</Button>
  );
  return (
    <FactorSection title={texts.app} action={action}>
      {confirmedAt ? (
        <p>{texts.appOn.parts({ time: <Moment at={confirmedAt} /> })}</p>
      ) : (
        <p class="quiet">{texts.appNone}</p>
      )}
      {step === 'start' && <StartDialog onStarted={setStep} onClose={close} />}
      {step === 'remove' && <RemoveDialog onClose={close} />}
      {step !== null && typeof step === 'object' && (
        <ScanDialog started={step} onCodes={onCodes} onClose={close} />
      )}
    </FactorSection>
  );
}
