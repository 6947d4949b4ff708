// The API keys of the company, active and ended: who created them and when they expire. The keys themselves are not
// in this data.

import { useState } from 'preact/hooks';
import { useApiList, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { type Column, PagedTable, useActionsColumn } from '../../parts/table.tsx';
import { Badge, ModeBadge, Moment, type Tone } from '../../parts/values.tsx';
import { CreateKey, type Key, RevokeKey, RollKey } from './key-actions.tsx';
import { useKeyTexts } from './texts.ts';
import './keys.css';

const tones: Readonly<Record<string, Tone>> = { active: 'good', expiring: 'busy' };

function KeyBadge({ status }: Pick<Key, 'status'>) {
  const { statuses } = useKeyTexts();
  const names: Readonly<Record<string, string>> = statuses;
  return <Badge tone={tones[status] ?? 'quiet'}>{names[status] ?? status}</Badge>;
}

/** The name of a key's creator: the email address with the right to read members, else the account ID. */
function useCreator(): (accountId: string) => string {
  const { session, may } = useSession();
  const texts = useKeyTexts();
  const { data } = useApiQuery('listMembers', { query: { limit: 100 } }, { isEnabled: may('members:read') });
  return (accountId) => {
    if (accountId === 'system') return texts.bySystem;
    if (accountId === session.accountId) return `${texts.by} ${texts.you}`;
    const member = data?.data.find((one) => one.accountId === accountId);
    return `${texts.by} ${member?.email ?? accountId}`;
  };
}

type OpenKeyAction = { action: 'create' } | { action: 'roll' | 'revoke'; apiKey: Key };
type Open = (opened: OpenKeyAction) => void;

function KeyButtons({ apiKey, open }: { apiKey: Key; open: Open }) {
  const texts = useKeyTexts();
  if (apiKey.status !== 'active' && apiKey.status !== 'expiring') return null;
  return (
    <fieldset class="actions key-actions">
      <legend class="unseen">{texts.ofKey(apiKey.name)}</legend>
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

function Ends({ apiKey: { revokedAt, expiresAt } }: { apiKey: Key }) {
  const texts = useKeyTexts();
  const at = revokedAt ?? expiresAt;
  return at ? <Moment at={at} /> : <span>{texts.never}</span>;
}

function useColumns(open: Open | null): readonly Column<Key>[] {
  const texts = useKeyTexts();
  const creatorOf = useCreator();
  const columns: readonly Column<Key>[] = [
    {
      id: 'name',
      title: texts.name,
      cell: ({ name, keyId }) => (
        <>
          <p class="strong clamp">
            <bdi>{name}</bdi>
          </p>
          <p class="quiet mono">{keyId}</p>
        </>
      ),
    },
    {
      id: 'mode',
      title: texts.mode,
      cell: ({ mode }) => <ModeBadge mode={mode} />,
    },
    { id: 'status', title: texts.status, cell: ({ status }) => <KeyBadge status={status} /> },
    {
      id: 'created',
      title: texts.created,
      cell: ({ createdAt, createdBy }) => (
        <>
          <Moment at={createdAt} />
          <p class="quiet small">
            <bdi>{creatorOf(createdBy)}</bdi>
          </p>
        </>
      ),
    },
    { id: 'ends', title: texts.ends, cell: (apiKey) => <Ends apiKey={apiKey} /> },
  ];
  const buttons = useActionsColumn((apiKey: Key) => open && <KeyButtons apiKey={apiKey} open={open} />);
  return open ? [...columns, buttons] : columns;
}

function Keys({ open }: { open: Open | null }) {
  const texts = useKeyTexts();
  const columns = useColumns(open);
  const list = useApiList('listApiKeys', {});
  return (
    <Section title={texts.list} hint={texts.intro}>
      <PagedTable
        list={list}
        caption={texts.list}
        columns={columns}
        keyOf={({ keyId }) => keyId}
        empty={<EmptyState title={texts.empty} hint={texts.emptyHint} />}
      />
    </Section>
  );
}

/** The keys and their actions. */
export default function KeysScreen() {
  const texts = useKeyTexts();
  const { may } = useSession();
  const [opened, setOpened] = useState<OpenKeyAction | null>(null);
  const canManage = may('keys:manage');
  const close = () => setOpened(null);
  const create = canManage && (
    <Button weight="main" onClick={() => setOpened({ action: 'create' })}>
      {texts.create}
    </Button>
  );
  return (
    <Page title={texts.title} actions={create}>
      <Keys open={canManage ? setOpened : null} />
      {opened?.action === 'create' && <CreateKey onClose={close} />}
      {opened?.action === 'roll' && <RollKey apiKey={opened.apiKey} onClose={close} />}
      {opened?.action === 'revoke' && <RevokeKey apiKey={opened.apiKey} onClose={close} />}
    </Page>
  );
}
