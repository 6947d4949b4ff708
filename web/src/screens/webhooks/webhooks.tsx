// The webhook endpoints: their events and their health. Endpoints belong to a mode. Those of the other mode are not
// shown.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useApiList } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { Moment } from '../../parts/values.tsx';
import { CreateEndpoint, EndpointSecret } from './endpoint-form.tsx';
import { type Endpoint, EndpointBadge } from './endpoint-status.tsx';
import { isEvery } from './event-choice.tsx';
import { useWebhookTexts } from './texts.ts';
import './webhooks.css';

function useColumns(): readonly Column<Endpoint>[] {
  const texts = useWebhookTexts();
  return [
    {
      id: 'url',
      title: texts.url,
      cell: ({ id, url, description }) => (
        <div class="endpoint-cell">
          <Link href={`/webhooks/${id}`} class="clamp">
            <bdi>{url}</bdi>
          </Link>
          {description && (
            <p class="quiet small clamp">
              <bdi>{description}</bdi>
            </p>
          )}
        </div>
      ),
    },
    {
      id: 'events',
      title: texts.events,
      cell: ({ events }) => (
        <span class="endpoint-events">
          {isEvery(events) ? texts.allEvents : texts.chosenCount(events.length)}
        </span>
      ),
    },
    { id: 'state', title: texts.state, cell: (endpoint) => <EndpointBadge endpoint={endpoint} /> },
    { id: 'made', title: texts.made, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
}

function Endpoints({ onCreate }: { onCreate: (() => void) | null }) {
  const texts = useWebhookTexts();
  const { mode } = useSession();
  const columns = useColumns();
  const list = useApiList('listWebhookEndpoints', { query: { limit: 100 } });
  const entries = list.entries.filter((endpoint) => endpoint.mode === mode);
  const other = mode === 'live' ? 'test' : 'live';
  const empty = (
    <EmptyState title={texts.empty}>
      <p>{texts.emptyHint}</p>
      {onCreate && (
        <Button weight="main" onClick={onCreate}>
          {texts.create}
        </Button>
      )}
    </EmptyState>
  );
  return (
    <Section title={texts.list} hint={texts.intro}>
      <PagedTable
        list={{ ...list, entries }}
        caption={texts.list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={empty}
      />
      {entries.length < list.entries.length && <p class="quiet small">{texts.otherMode[other]}</p>}
    </Section>
  );
}

/** The endpoints. */
export default function Webhooks() {
  const texts = useWebhookTexts();
  const { may } = useSession();
  const [isCreating, setIsCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const create = may('webhooks:manage') ? () => setIsCreating(true) : null;
  return (
    <Page
      title={texts.title}
      actions={
        create && (
          <Button weight="main" onClick={create}>
            {texts.create}
          </Button>
        )
      }
    >
      <Endpoints onCreate={create} />
      {isCreating && (
        <CreateEndpoint
          onMade={(made) => {
            setIsCreating(false);
            setSecret(made.secret);
          }}
          onClose={() => setIsCreating(false)}
        />
      )}
      {secret !== null && <EndpointSecret secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
}
