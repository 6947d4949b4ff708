// The API keys of the company, active and ended: who created them and when they expire. The keys themselves are not
// in this data.

import { useState } from 'preact/hooks';
import { useApiList, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { Badge, Moment, type Tone } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { CreateKey, type Key, RevokeKey, RollKey } from './key-actions.tsx';
import { useKeyTexts } from './texts.ts';
import './keys.css';

const tones: Readonly<Record<string, Tone>> = { active: 'good', expiring: 'busy' };

function KeyBadge({ status }: Pick<Key, 'status'>) {
  const { states } = useKeyTexts();
  const words: Readonly<Record<string, string>> = states;
  return <Badge tone={tones[status] ?? 'quiet'}>{words[status] ?? status}</Badge>;
}

/** The name of a key's creator: the email address with the right to read members, else the account ID. */
function useMaker(): (accountId: string) => string {
  const { session, may } = useSession();
  const texts = useKeyTexts();
  const { data } = useApiQuery('listMembers', { query: { limit: 100 } }, { isWanted: may('members:read') });
  return (accountId) => {
    if (accountId === 'system') return texts.bySystem;
    if (accountId === session.accountId) return `${texts.by} ${texts.you}`;
    const member = data?.data.find((one) => one.accountId === accountId);
    return `${texts.by} ${member?.email ?? accountId}`;
  };
}

type OpenKeyAction = { act: 'roll' | 'revoke'; apiKey: Key };
type Open = (opened: OpenKeyAction) => void;

function KeyButtons({ apiKey, open }: { apiKey: Key; open: Open }) {
  const texts = useKeyTexts();
  if (apiKey.status !== 'active' && apiKey.status !== 'expiring') return null;
  return (
    <fieldset class="actions key-actions">
      <legend class="unseen">{texts.ofKey(apiKey.name)}</legend>
      {apiKey.status === 'active' && (
        <Button isSmall onClick={() => open({ act: 'roll', apiKey })}>
          {texts.roll}
        </Button>
      )}
      <Button isSmall weight="bad" onClick={() => open({ act: 'revoke', apiKey })}>
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
  const common = useCommonTexts();
  const maker = useMaker();
  const columns: readonly Column<Key>[] = [
    {
      id: 'name',
      title: texts.name,
      cell: ({ name, keyId }) => (
        <div class="key-cell">
          <p class="strong clamp">
            <bdi>{name}</bdi>
          </p>
          <p class="quiet mono">{keyId}</p>
        </div>
      ),
    },
    {
      id: 'mode',
      title: texts.mode,
      cell: ({ mode }) => <Badge tone={mode === 'live' ? 'open' : 'quiet'}>{common[mode]}</Badge>,
    },
    { id: 'state', title: texts.state, cell: ({ status }) => <KeyBadge status={status} /> },
    {
      id: 'made',
      title: texts.made,
      cell: ({ createdAt, createdBy }) => (
        <div class="key-cell">
          <Moment at={createdAt} />
          <p class="quiet small">
            <bdi>{maker(createdBy)}</bdi>
          </p>
        </div>
      ),
    },
    { id: 'ends', title: texts.ends, cell: (apiKey) => <Ends apiKey={apiKey} /> },
  ];
  if (!open) return columns;
  const cell = (apiKey: Key) => <KeyButtons apiKey={apiKey} open={open} />;
  return [...columns, { id: 'actions', title: texts.actions, isTitleHidden: true, cell }];
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
        empty={
          <EmptyState title={texts.empty}>
            <p>{texts.emptyHint}</p>
          </EmptyState>
        }
      />
    </Section>
  );
}

/** The keys and their actions. */
export default function KeysScreen() {
  const texts = useKeyTexts();
  const { may } = useSession();
  const [isCreating, setIsCreating] = useState(false);
  const [opened, setOpened] = useState<OpenKeyAction | null>(null);
  const canManage = may('keys:manage');
  const close = () => setOpened(null);
  return (
    <Page
      title={texts.title}
      actions={
        canManage && (
          <Button weight="main" onClick={() => setIsCreating(true)}>
            {texts.create}
          </Button>
        )
      }
    >
      <Keys open={canManage ? setOpened : null} />
      {isCreating && <CreateKey onClose={() => setIsCreating(false)} />}
      {opened?.act === 'roll' && <RollKey apiKey={opened.apiKey} onClose={close} />}
      {opened?.act === 'revoke' && <RevokeKey apiKey={opened.apiKey} onClose={close} />}
    </Page>
  );
}
