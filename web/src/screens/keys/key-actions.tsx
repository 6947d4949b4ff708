// Creates, rolls and revokes API keys. The key itself is shown once, after its creation, and stored nowhere.

import { useState } from 'preact/hooks';
import { ApiProblem, call, type Mode, type OperationResponse } from '../../api/call.ts';
import { useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { useAction } from '../../parts/action.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { defaultOverlap, OverlapField, type OverlapHours, SecretShownOnce } from '../../parts/secrets.tsx';
import { useExplain } from '../../texts/problems.ts';
import { useKeyTexts } from './texts.ts';

export type Key = OperationResponse<'listApiKeys'>['data'][number];

const invalidates = ['listApiKeys'] as const;

/** A new key, shown once. */
function NewKey({ apiKey, onClose }: { apiKey: string; onClose(): void }) {
  const texts = useKeyTexts();
  return (
    <SecretShownOnce title={texts.newTitle} label={texts.key} secret={apiKey} onClose={onClose}>
      <p>{texts.keyHint}</p>
    </SecretShownOnce>
  );
}

/** Why this service can't take real money; nothing for any other error. */
function LiveReasons({ fault }: { fault: unknown }) {
  const texts = useKeyTexts();
  const reasons: Readonly<Record<string, string>> = texts.liveReasons;
  if (!(fault instanceof ApiProblem) || fault.problem.code !== 'live_not_possible') return null;
  return (
    <ul class="reasons small">
      {fault.problem.errors.map(({ code, detail }) => (
        <li key={code}>{reasons[code] ?? detail}</li>
      ))}
    </ul>
  );
}

/** Reloads the session: the first live key enables live mode. */
function useSessionRenewed(): () => Promise<void> {
  const { enter } = useSession();
  return async () => {
    const { session } = await call('getSession', {});
    if (session) enter(session);
  };
}

function useCreation() {
  const [apiKey, setApiKey] = useState<string | null>(null);
  const renew = useSessionRenewed();
  const create = useApiMutation('createApiKey', {
    invalidates,
    onSuccess: (made) => {
      setApiKey(made.key);
      if (made.mode === 'live') void renew();
    },
  });
  return { apiKey, create };
}

/** Asks for name and mode of a new key, and shows it. */
export function CreateKey({ onClose }: { onClose(): void }) {
  const texts = useKeyTexts();
  const { may } = useSession();
  const [name, setName] = useState('');
  const [mode, setMode] = useState<Mode>('test');
  const { apiKey, create } = useCreation();
  const { fields } = useExplain()(create.error);
  if (apiKey !== null) return <NewKey apiKey={apiKey} onClose={onClose} />;
  const modes: readonly Mode[] = may('keys:live') ? ['test', 'live'] : ['test'];
  return (
    <FormDialog
      title={texts.create}
      action={texts.create}
      request={create}
      shown={['name', 'mode']}
      onSubmit={() => create.mutate({ body: { name: name.trim() || texts.defaultName, mode } })}
      onClose={onClose}
    >
      <LiveReasons fault={create.error} />
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        error={fields.name}
        autoComplete="off"
        isOptional
        value={name}
        onInput={setName}
      />
      {modes.length > 1 && (
        <SelectField
          label={texts.mode}
          value={mode}
          choices={modes.map((value) => ({ value, label: texts.modes[value] }))}
          onInput={setMode}
        />
      )}
    </FormDialog>
  );
}

type KeyActionProps = { apiKey: Key; onClose(): void };

const Named = ({ name }: Pick<Key, 'name'>) => (
  <p class="strong">
    <bdi>{name}</bdi>
  </p>
);

/** Rolls a key, and shows the new one. */
export function RollKey({ apiKey: { keyId, name }, onClose }: KeyActionProps) {
  const texts = useKeyTexts();
  const [hours, setHours] = useState<OverlapHours>(defaultOverlap);
  const [made, setMade] = useState<string | null>(null);
  const roll = useApiMutation('rollApiKey', { invalidates, onSuccess: ({ key }) => setMade(key) });
  if (made !== null) return <NewKey apiKey={made} onClose={onClose} />;
  return (
    <FormDialog
      title={texts.rollTitle}
      action={texts.rollAction}
      request={roll}
      onSubmit={() => roll.mutate({ path: { keyId }, body: { overlapHours: Number(hours) } })}
      onClose={onClose}
    >
      <Named name={name} />
      <OverlapField hint={texts.rollHint} value={hours} onInput={setHours} />
    </FormDialog>
  );
}

/** Revokes a key at once, after a confirmation. */
export function RevokeKey({ apiKey: { keyId, name }, onClose }: KeyActionProps) {
  const texts = useKeyTexts();
  const renew = useSessionRenewed();
  const revoke = useAction('revokeApiKey', texts.revoked, {
    invalidates,
    onClose,
    onSuccess: ({ mode }) => mode === 'live' && void renew(),
  });
  return (
    <FormDialog
      title={texts.revokeTitle}
      action={texts.revokeAction}
      weight="bad"
      request={revoke}
      onSubmit={() => revoke.mutate({ path: { keyId } })}
      onClose={onClose}
    >
      <Named name={name} />
      <p>{texts.revokeHint}</p>
    </FormDialog>
  );
}
