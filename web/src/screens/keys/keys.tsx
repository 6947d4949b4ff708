// The service keys and the API keys of the company, active and ended: who created them and when they expire. The keys
// themselves are not in this data.

import { useState } from 'preact/hooks';
import { call, type Mode, type OperationResponse } from '../../api/call.ts';
import { useApiList, useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { SelectField, TextField, useFields } from '../../parts/field.tsx';
import { EmptyState, Page, Section } from '../../parts/page.tsx';
import { defaultOverlap, OverlapField, type OverlapHours, SecretShownOnce } from '../../parts/secrets.tsx';
import { type Column, PagedTable, useNamedColumns } from '../../parts/table.tsx';
import { useAction } from '../../parts/toasts.tsx';
import { ModeBadge } from '../../parts/values.tsx';
import { Creation, Ends, KeyBadge, LiveReasons, NameAndId, NamedKey } from './key-parts.tsx';
import { ServiceKeys } from './service-keys.tsx';
import { useKeyTexts } from './texts.ts';
import './keys.css';

type Key = OperationResponse<'listApiKeys'>['data'][number];

const invalidates = ['listApiKeys'] as const;

function NewKey({ apiKey, onClose }: { apiKey: string; onClose(): void }) {
  const texts = useKeyTexts();
  return (
    <SecretShownOnce title={texts.newTitle} label={texts.key} secret={apiKey} onClose={onClose}>
      <p>{texts.keyHint}</p>
    </SecretShownOnce>
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

/** The key itself is shown once, after its creation, and stored nowhere. */
function CreateKey({ onClose }: { onClose(): void }) {
  const texts = useKeyTexts();
  const { may } = useSession();
  const { apiKey, create } = useCreation();
  const { values, field } = useFields<{ name: string; mode: Mode }>({ name: '', mode: 'test' }, create.error);
  if (apiKey !== null) return <NewKey apiKey={apiKey} onClose={onClose} />;
  const modes: readonly Mode[] = may('keys:live') ? ['test', 'live'] : ['test'];
  return (
    <FormDialog
      action={texts.create}
      request={create}
      shown={['name', 'mode']}
      onSubmit={() => create.mutate({ body: { ...values, name: values.name.trim() || texts.apiKey } })}
      onClose={onClose}
    >
      <LiveReasons fault={create.error} />
      <TextField {...field('name')} label={texts.name} hint={texts.nameHint} autoComplete="off" isOptional />
      {modes.length > 1 && (
        <SelectField
          {...field('mode')}
          label={texts.mode}
          choices={modes.map((value) => ({ value, label: texts.modes[value] }))}
        />
      )}
    </FormDialog>
  );
}

type KeyActionProps = { apiKey: Key; onClose(): void };

function RollKey({ apiKey: { keyId, name }, onClose }: KeyActionProps) {
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
      <NamedKey name={name} />
      <OverlapField hint={texts.rollHint} value={hours} onInput={setHours} />
    </FormDialog>
  );
}

function RevokeKey({ apiKey: { keyId, name }, onClose }: KeyActionProps) {
  const texts = useKeyTexts();
  const renew = useSessionRenewed();
  const revoke = useAction('revokeApiKey', texts.revoked, {
    invalidates,
    onClose,
    onSuccess: ({ mode }) => mode === 'live' && void renew(),
  });
  return (
    <FormDialog
      action={texts.revokeAction}
      weight="bad"
      request={revoke}
      onSubmit={() => revoke.mutate({ path: { keyId } })}
      onClose={onClose}
    >
      <NamedKey name={name} />
      <p>{texts.revokeHint}</p>
    </FormDialog>
  );
}

type OpenKeyAction = { action: 'create' } | { action: 'roll' | 'revoke'; apiKey: Key };
type Open = (opened: OpenKeyAction) => void;

function KeyButtons({ apiKey, open }: { apiKey: Key; open: Open }) {
  const texts = useKeyTexts();
  if (apiKey.status !== 'active' && apiKey.status !== 'expiring') return null;
  return (
    <fieldset class="actions key-actions">
      <legend class="unseen">{texts.ofKey({ name: apiKey.name })}</legend>
      {apiKey.status === 'active' && (
        <Button isSmall onClick={() => open({ action: 'roll', apiKey })}>
          {texts.roll}
        </Button>
      )}
      <Button isSmall weight="bad" onClick={() => open({ action: 'revoke', apiKey })}>
        {texts.revoke}
      </Button>
    </fieldset>
  );
}

function useColumns(open: Open | null): readonly Column<Key>[] {
  const texts = useKeyTexts();
  return useNamedColumns(texts, {
    name: (apiKey) => <NameAndId {...apiKey} />,
    mode: ({ mode }) => <ModeBadge mode={mode} />,
    status: ({ status }) => <KeyBadge status={status} />,
    created: (apiKey) => <Creation {...apiKey} />,
    expires: (apiKey) => <Ends {...apiKey} />,
    actions: open !== null && ((apiKey) => <KeyButtons apiKey={apiKey} open={open} />),
  });
}

function Keys({ open }: { open: Open | null }) {
  const texts = useKeyTexts();
  const list = useApiList('listApiKeys', {});
  const create = open && <Button onClick={() => open({ action: 'create' })}>{texts.create}</Button>;
  return (
    <Section title={texts.screens.keys} hint={texts.intro} actions={create}>
      <PagedTable
        list={list}
        caption={texts.screens.keys}
        columns={useColumns(open)}
        keyOf={({ keyId }) => keyId}
        empty={<EmptyState title={texts.empty} hint={texts.emptyHint} />}
      />
    </Section>
  );
}

export default function KeysScreen() {
  const texts = useKeyTexts();
  const { may } = useSession();
  const [opened, setOpened] = useState<OpenKeyAction | null>(null);
  const canManage = may('keys:manage');
  const close = () => setOpened(null);
  return (
    <Page title={texts.screens.keys}>
      <ServiceKeys />
      <Keys open={canManage ? setOpened : null} />
      {opened?.action === 'create' && <CreateKey onClose={close} />}
      {opened?.action === 'roll' && <RollKey apiKey={opened.apiKey} onClose={close} />}
      {opened?.action === 'revoke' && <RevokeKey apiKey={opened.apiKey} onClose={close} />}
    </Page>
  );
}
