// One delivery: its event, every attempt with its response, and the request. Responses and contents come from
// strangers and are shown only as text.

import { Link, useParams } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';
import { Facts, Page, QueryContent, Section } from '../../parts/page.tsx';
import { useAction } from '../../parts/toasts.tsx';
import { CodeBlock, CopyButton, DeliveryBadge, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useEventTexts } from '../../texts/events.ts';
import { useDeliveryTexts } from './delivery-texts.ts';
import { AttemptResult, Duration, NextAttempt } from './endpoint-status.tsx';
import { pollDelivery } from './poll-interval.ts';
import { printJson } from './print-json.ts';
import './webhooks.css';

type Delivery = OperationResponse<'getWebhookDelivery'>;

function About({ delivery, isOn }: { delivery: Delivery; isOn: boolean }) {
  const texts = useDeliveryTexts();
  const eventText = useEventTexts();
  const { type, eventId, endpointId, url, createdAt, status, tries, endedAt } = delivery;
  return (
    <Section title={eventText(type)}>
      <Facts
        items={[
          [texts.event, <code key="type">{type}</code>],
          [texts.eventId, <code key="id">{eventId}</code>],
          [
            texts.endpoint,
            <Link key="url" href={`/webhooks/${endpointId}`} class="clamp">
              <bdi>{url}</bdi>
            </Link>,
          ],
          [texts.time, <Moment key="at" at={createdAt} isExact />],
          [texts.status, <DeliveryBadge key="status" status={status} />],
          [texts.attempts, tries],
          endedAt
            ? [texts.ended, <Moment key="ended" at={endedAt} isExact />]
            : [texts.next, <NextAttempt key="next" delivery={delivery} isOn={isOn} />],
        ]}
      />
    </Section>
  );
}

function DeliveryAttempts({ history }: Pick<Delivery, 'history'>) {
  const texts = useDeliveryTexts();
  return (
    <Section title={texts.attempts} hint={history.length > 0 ? texts.responseHint : undefined}>
      {history.length === 0 && <p class="quiet">{texts.noAttempt}</p>}
      <ol class="stack delivery-attempts">
        {history.toReversed().map(({ at, durationMs, status, fault, answer }) => (
          <li key={at} class="stack-small">
            <p class="row">
              <strong>
                <AttemptResult status={status} fault={fault} />
              </strong>
              <Moment at={at} isExact />
              <Duration ms={durationMs} />
            </p>
            {answer ? (
              <div class="code-tall code-short">
                <CodeBlock label={texts.response} text={answer} />
              </div>
            ) : (
              status !== null && <p class="quiet small">{texts.noBody}</p>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Request({ request }: Pick<Delivery, 'request'>) {
  const texts = useDeliveryTexts();
  const { method, url, headers, body } = request;
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return (
    <Section title={texts.request} hint={texts.requestHint}>
      <div class="code-tall">
        <CodeBlock label={texts.headers} text={lines.join('\n')} />
      </div>
      <div class="code-tall">
        <CodeBlock label={texts.body} text={printJson(body)} />
      </div>
      <div class="actions">
        <CopyButton text={body} label={texts.copyBody} />
      </div>
    </Section>
  );
}

export default function DeliveryScreen() {
  const texts = useDeliveryTexts();
  const { deliveryStatuses, resend: resendText, resent } = useCommonTexts();
  const { may } = useSession();
  const { endpointId = '', deliveryId = '' } = useParams<{ endpointId: string; deliveryId: string }>();
  const endpoint = useApiQuery('getWebhookEndpoint', { path: { endpointId } });
  const isOn = endpoint.data?.status === 'enabled';
  const path = { deliveryId };
  const result = useApiQuery('getWebhookDelivery', { path }, pollDelivery(isOn));
  const resend = useAction('resendWebhookDelivery', resent, {
    invalidates: ['getWebhookDelivery', 'listWebhookDeliveries'],
  });
  const isEnded = result.data !== undefined && result.data.status !== 'pending';
  const button = isEnded && may('webhooks:manage') && (
    <Button isWorking={resend.isPending} onClick={() => resend.mutate({ path })}>
      {resendText}
    </Button>
  );
  return (
    <Page
      title={texts.title}
      above={<Link href={`/webhooks/${endpointId}`}>← {texts.back}</Link>}
      actions={button}
    >
      <FormError fault={resend.error} />
      <QueryContent result={result} rows={6}>
        {(found) => (
          <>
            <About delivery={found} isOn={isOn} />
            <div role="status" class="unseen">
              {deliveryStatuses[found.status]}
            </div>
            <DeliveryAttempts history={found.history} />
            <Request request={found.request} />
          </>
        )}
      </QueryContent>
    </Page>
  );
}
