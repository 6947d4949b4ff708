// The webhook endpoints: their events and their health. Endpoints belong to a mode. Those of the other mode are not
// shown.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useApiList } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { EmptyState, Page, Section } from '../../parts/page.tsx';
import { type Column, PagedTable, useNamedColumns } from '../../parts/table.tsx';
import { Moment } from '../../parts/values.tsx';
import { CreateEndpoint, EndpointSecret, isEvery } from './endpoint-form.tsx';
import { type Endpoint, EndpointBadge } from './endpoint-status.tsx';
import { useWebhookTexts } from './texts.ts';
import './webhooks.css';

function useColumns(): readonly Column<Endpoint>[] {
  const texts = useWebhookTexts();
  return useNamedColumns(texts, {
    url: ({ id, url, description }) => (
      <div class="stacked">
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
    events: ({ events }) => (
      <span class="endpoint-events">
        {isEvery(events) ? texts.allEvents : texts.chosenCount({ count: events.length })}
      </span>
    ),
    status: (endpoint) => <EndpointBadge endpoint={endpoint} />,
    created: ({ createdAt }) => <Moment at={createdAt} />,
  });
}

function Endpoints({ createButton }: { createButton: ComponentChildren }) {
  const texts = useWebhookTexts();
  const { mode } = useSession();
  const list = useApiList('listWebhookEndpoints', { query: { limit: 100 } });
  const entries = list.entries.filter((endpoint) => endpoint.mode === mode);
  const other = mode === 'live' ? 'test' : 'live';
  const empty = (
    <EmptyState title={texts.empty} hint={texts.emptyHint}>
      {createButton}
    </EmptyState>
  );
  return (
    <Section title={texts.list} hint={texts.intro}>
      <PagedTable
        list={{ ...list, entries }}
        caption={texts.list}
        columns={useColumns()}
        keyOf={({ id }) => id}
        empty={empty}
      />
      {entries.length < list.entries.length && <p class="quiet small">{texts.otherMode[other]}</p>}
    </Section>
  );
}

export default function Webhooks() {
  const texts = useWebhookTexts();
  const { may } = useSession();
  const [isCreating, setIsCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const button = may('webhooks:manage') && (
    <Button weight="main" onClick={() => setIsCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <Page title={texts.screens.webhooks} actions={button}>
      <Endpoints createButton={button} />
      {isCreating && (
        <CreateEndpoint
          onCreated={(created) => {
            setIsCreating(false);
            setSecret(created.secret);
          }}
          onClose={() => setIsCreating(false)}
        />
      )}
      {secret !== null && <EndpointSecret secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
}
