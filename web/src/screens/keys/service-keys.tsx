// The service keys of the company, active and ended: what each may do, and when it was last used.

import { useState } from 'preact/hooks';
import type { OperationResponse } from '../../api/call.ts';
import { useApiList, useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { EmptyState, Section } from '../../parts/page.tsx';
import { defaultOverlap, OverlapField, type OverlapHours, SecretShownOnce } from '../../parts/secrets.tsx';
import { type Column, PagedTable, useNamedColumns } from '../../parts/table.tsx';
import { useAction } from '../../parts/toasts.tsx';
import { ModeBadge, Moment } from '../../parts/values.tsx';
import { Creation, Ends, KeyBadge, NameAndId, NamedKey } from './key-parts.tsx';
import { CreateServiceKey } from './service-key-form.tsx';
import { useKeyTexts, useServiceKeyTexts } from './texts.ts';

type ServiceKey = OperationResponse<'listServiceKeys'>['data'][number];

const invalidates = ['listServiceKeys'] as const;

function NewServiceKey({ serviceKey, onClose }: { serviceKey: string; onClose(): void }) {
  const texts = useServiceKeyTexts();
  return (
    <SecretShownOnce title={texts.newTitle} label={texts.key} secret={serviceKey} onClose={onClose}>
      <p>{texts.keyHint}</p>
    </SecretShownOnce>
  );
}

type ActionProps = { serviceKey: ServiceKey; onClose(): void };

function RollServiceKey({
  serviceKey: { keyId, name },
  onCreated,
  onClose,
}: ActionProps & { onCreated(key: string): void }) {
  const texts = useServiceKeyTexts();
  const { rollAction } = useKeyTexts();
  const [hours, setHours] = useState<OverlapHours>(defaultOverlap);
  const roll = useApiMutation('rollServiceKey', { invalidates, onSuccess: ({ key }) => onCreated(key) });
  return (
    <FormDialog
      title={texts.rollTitle}
      action={rollAction}
      request={roll}
      onSubmit={() => roll.mutate({ path: { keyId }, body: { overlapHours: Number(hours) } })}
      onClose={onClose}
    >
      <NamedKey name={name} />
      <OverlapField hint={texts.rollHint} value={hours} onInput={setHours} />
    </FormDialog>
  );
}

function RevokeServiceKey({ serviceKey: { keyId, name }, onClose }: ActionProps) {
  const texts = useKeyTexts();
  const revoke = useAction('revokeServiceKey', texts.revoked, { invalidates, onClose });
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

type Opened =
  | { action: 'create' }
  | { action: 'show'; key: string }
  | { action: 'roll' | 'revoke'; serviceKey: ServiceKey };
type Open = (opened: Opened) => void;

function ServiceKeyButtons({ serviceKey, open }: { serviceKey: ServiceKey; open: Open }) {
  const texts = useKeyTexts();
  const { may } = useSession();
  const { status, name, scopes } = serviceKey;
  if (status !== 'active' && status !== 'expiring') return null;
  return (
    <fieldset class="actions key-actions">
      <legend class="unseen">{texts.ofKey({ name })}</legend>
      {status === 'active' && scopes.every((scope) => may(scope)) && (
        <Button isSmall onClick={() => open({ action: 'roll', serviceKey })}>
          {texts.roll}
        </Button>
      )}
      <Button isSmall weight="bad" onClick={() => open({ action: 'revoke', serviceKey })}>
        {texts.revoke}
      </Button>
    </fieldset>
  );
}

function Rights({ scopes, allowedAddresses }: ServiceKey) {
  return (
    <div class="stacked">
      <p class="small mono key-scopes">{scopes.join(' ')}</p>
      {allowedAddresses.length > 0 && <p class="quiet small mono key-scopes">{allowedAddresses.join(' ')}</p>}
    </div>
  );
}

function useColumns(open: Open | null): readonly Column<ServiceKey>[] {
  const texts = useServiceKeyTexts();
  return useNamedColumns(texts, {
    name: (serviceKey) => <NameAndId {...serviceKey} />,
    status: ({ status, mode }) => (
      <div class="stacked">
        <p>
          <KeyBadge status={status} />
        </p>
        <p>
          <ModeBadge mode={mode} />
        </p>
      </div>
    ),
    rights: (serviceKey) => <Rights {...serviceKey} />,
    lastUsed: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : <span>{texts.never}</span>),
    created: (serviceKey) => <Creation {...serviceKey} />,
    expires: (serviceKey) => <Ends {...serviceKey} />,
    actions: open !== null && ((serviceKey) => <ServiceKeyButtons serviceKey={serviceKey} open={open} />),
  });
}

export function ServiceKeys() {
  const texts = useServiceKeyTexts();
  const { may } = useSession();
  const list = useApiList('listServiceKeys', {});
  const [opened, setOpened] = useState<Opened | null>(null);
  const open = may('keys:manage') ? setOpened : null;
  const close = () => setOpened(null);
  const show = (key: string) => setOpened({ action: 'show', key });
  const create = open && (
    <Button weight="main" onClick={() => open({ action: 'create' })}>
      {texts.create}
    </Button>
  );
  return (
    <Section title={texts.list} hint={texts.intro} actions={create}>
      <PagedTable
        list={list}
        caption={texts.list}
        columns={useColumns(open)}
        keyOf={({ keyId }) => keyId}
        empty={<EmptyState title={texts.empty} hint={texts.emptyHint} />}
      />
      {opened?.action === 'create' && <CreateServiceKey onCreated={show} onClose={close} />}
      {opened?.action === 'show' && <NewServiceKey serviceKey={opened.key} onClose={close} />}
      {opened?.action === 'roll' && (
        <RollServiceKey serviceKey={opened.serviceKey} onCreated={show} onClose={close} />
      )}
      {opened?.action === 'revoke' && <RevokeServiceKey serviceKey={opened.serviceKey} onClose={close} />}
    </Section>
  );
}
