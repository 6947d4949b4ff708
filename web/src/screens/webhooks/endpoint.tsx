// One endpoint: its events, its health, its actions, and its deliveries.

import { Link, useParams } from 'wouter-preact';
import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { QueryContent } from '../../parts/states.tsx';
import { ModeBadge, Moment } from '../../parts/values.tsx';
import { useEventTexts } from '../../texts/events.ts';
import { Deliveries } from './deliveries.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { type Endpoint, EndpointBadge, EndpointTrouble } from './endpoint-status.tsx';
import { isEvery } from './event-choice.tsx';
import { TestRun } from './test-run.tsx';
import { useWebhookTexts } from './texts.ts';
import './webhooks.css';

function Events({ events }: { events: readonly string[] }) {
  const texts = useWebhookTexts();
  const eventText = useEventTexts();
  if (isEvery(events)) return <>{texts.allEvents}</>;
  return (
    <details>
      <summary>{texts.chosenCount(events.length)}</summary>
      <ul class="event-list">
        {events.map((type) => (
          <li key={type}>
            {eventText(type)} <code class="quiet">{type}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}

function About({ endpoint }: { endpoint: Endpoint }) {
  const texts = useWebhookTexts();
  const { url, description, events, mode, createdAt, previousSecretUntil } = endpoint;
  return (
    <Section>
      <EndpointTrouble endpoint={endpoint} />
      <Facts
        items={[
          [texts.url, <bdi key="url">{url}</bdi>],
          [texts.status, <EndpointBadge key="status" endpoint={endpoint} />],
          [texts.mode, <ModeBadge key="mode" mode={mode} />],
          [texts.events, <Events key="events" events={events} />],
          ...(description ? [[texts.description, <bdi key="about">{description}</bdi>] as const] : []),
          [texts.created, <Moment key="created" at={createdAt} />],
          ...(previousSecretUntil
            ? [[texts.previousSecret, <Moment key="until" at={previousSecretUntil} />] as const]
            : []),
        ]}
      />
    </Section>
  );
}

/** The endpoint of the URL. */
export default function EndpointScreen() {
  const texts = useWebhookTexts();
  const { may } = useSession();
  const { endpointId = '' } = useParams<{ endpointId: string }>();
  const result = useApiQuery('getWebhookEndpoint', { path: { endpointId } });
  const { data: endpoint } = result;
  const canManage = may('webhooks:manage');
  return (
    <Page
      title={texts.endpoint}
      above={<Link href="/webhooks">← {texts.back}</Link>}
      actions={endpoint && canManage && <EndpointActions endpoint={endpoint} />}
    >
      <QueryContent result={result} rows={6}>
        {(found) => (
          <>
            <About endpoint={found} />
            {canManage && <TestRun endpoint={found} />}
            <Deliveries endpoint={found} canManage={canManage} />
          </>
        )}
      </QueryContent>
    </Page>
  );
}
