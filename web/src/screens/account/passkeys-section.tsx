// Passkeys of the account: a device creates one, and can sign the person in from then on.

import { useState } from 'preact/hooks';
import type { OperationResponse } from '../../api/call.ts';
import { useApi, useApiMutation } from '../../api/queries.ts';
import { useAsyncTask } from '../../base/async-task.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorBox, TextField, useFields } from '../../parts/field.tsx';
import { type Column, Table, useNamedColumns } from '../../parts/table.tsx';
import { useAction } from '../../parts/toasts.tsx';
import { Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { hasPasskeys, makePasskey, PasskeyRefused } from '../sign-in/passkey.ts';
import { FactorSection, PasswordDialog } from './factor-section.tsx';
import type { OnCodes } from './recovery-codes.tsx';
import { useAccountTexts } from './texts.ts';

type Passkey = OperationResponse<'getSecondFactors'>['passkeys'][number];

/** Three steps: the service sends the options, the device creates the passkey, and the service stores it. */
function useAdding(onAdded: (codes: readonly string[] | null) => void) {
  const api = useApi();
  const work = useAsyncTask();
  const { mutateAsync: store } = useApiMutation('addPasskey', { invalidates: ['getSecondFactors'] });
  const add = (name: string, currentPassword: string) =>
    work.run(async () => {
      const { options } = await api.call('beginPasskey', { body: { currentPassword } });
      const { recoveryCodes } = await store({ body: { name, response: await makePasskey(options) } });
      onAdded(recoveryCodes);
    });
  return { ...work, add };
}

function AddDialog({ onCodes, onClose }: { onCodes: OnCodes; onClose(): void }) {
  const texts = useAccountTexts();
  const { fault, isWorking, add } = useAdding((codes) => {
    onClose();
    onCodes(codes, texts.passkeyAdded);
  });
  const { values, field } = useFields({ name: '' }, fault);
  const refusal = fault instanceof PasskeyRefused && (
    <ErrorBox fault={fault}>
      {fault.reason === 'exists' ? texts.passkeyExists : texts.passkeyRefused}
    </ErrorBox>
  );
  return (
    <PasswordDialog
      title={texts.addPasskey}
      request={{ isPending: isWorking, error: fault }}
      errorMessage={refusal || undefined}
      shown={['name']}
      isFirst={false}
      onSubmit={(currentPassword) => void add(values.name.trim(), currentPassword)}
      onClose={onClose}
    >
      <TextField
        {...field('name')}
        label={texts.name}
        hint={texts.passkeyNameHint}
        maxLength={100}
        autoComplete="off"
        autoFocus
        required
      />
    </PasswordDialog>
  );
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const texts = useAccountTexts();
  const { passkeyId, name } = passkey;
  const remove = useAction('removePasskey', texts.passkeyRemoved, {
    invalidates: ['getSecondFactors'],
    onClose,
  });
  return (
    <PasswordDialog
      title={texts.removePasskey}
      weight="bad"
      request={remove}
      onSubmit={(currentPassword) => remove.mutate({ path: { passkeyId }, body: { currentPassword } })}
      onClose={onClose}
    >
      <p>{texts.removePasskeyHint.parts({ name: <bdi class="strong">{name}</bdi> })}</p>
    </PasswordDialog>
  );
}

function usePasskeyColumns(onRemove: (passkey: Passkey) => void): Column<Passkey>[] {
  const texts = useAccountTexts();
  const { remove } = useCommonTexts();
  return useNamedColumns(texts, {
    name: ({ name }) => <bdi class="clamp">{name}</bdi>,
    added: ({ createdAt }) => <Moment at={createdAt} />,
    lastUsed: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : texts.never),
    actions: (passkey) => (
      <Button isSmall aria-label={`${remove}: ${passkey.name}`} onClick={() => onRemove(passkey)}>
        {remove}
      </Button>
    ),
  });
}

export function PasskeysSection(props: { passkeys: readonly Passkey[]; onCodes: OnCodes }) {
  const { passkeys, onCodes } = props;
  const texts = useAccountTexts();
  const [step, setStep] = useState<'add' | Passkey | null>(null);
  const columns = usePasskeyColumns(setStep);
  const close = () => setStep(null);
  const canAdd = hasPasskeys();
  return (
    <FactorSection
      title={texts.passkeys}
      action={canAdd && <Button onClick={() => setStep('add')}>{texts.addPasskey}</Button>}
    >
      {passkeys.length === 0 && <p class="quiet">{texts.passkeysNone}</p>}
      {!canAdd && <p class="quiet">{texts.passkeysCannot}</p>}
      {passkeys.length > 0 && (
        <Table
          caption={texts.passkeys}
          columns={columns}
          rows={passkeys}
          keyOf={({ passkeyId }) => passkeyId}
        />
      )}
      {step === 'add' && <AddDialog onCodes={onCodes} onClose={close} />}
      {step !== null && step !== 'add' && <RemoveDialog passkey={step} onClose={close} />}
    </FactorSection>
  );
}
