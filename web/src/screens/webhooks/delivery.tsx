// One delivery: its event, every attempt with its response, and the request. Responses and contents come from
// strangers and are shown only as text.

import { useEffect, useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiMutation, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { QueryContent } from '../../parts/states.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { CodeBlock, CopyButton, Moment } from '../../parts/values.tsx';
import { useEventTexts } from '../../texts/events.ts';
import { AttemptResult, DeliveryBadge, Duration, NextAttempt } from './delivery-status.tsx';
import { useDeliveryTexts } from './delivery-texts.ts';
import { pollIntervalOf } from './poll-interval.ts';
import { printJson } from './print-json.ts';
import './webhooks.css';

type Delivery = OperationResponse<'getWebhookDelivery'>;

function About({ delivery, isOn }: { delivery: Delivery; isOn: boolean }) {
  const texts = useDeliveryTexts();
  const words = useEventTexts();
  const { type, eventId, endpointId, url, createdAt, state, tries, endedAt } = delivery;
  return (
    <Section title={words(type)}>
      <Facts
        items={[
          [texts.event, <code key="type">{type}</code>],
          [
            texts.eventId,
            <span key="id" class="mono">
              {eventId}
            </span>,
          ],
          [
            texts.endpoint,
            <Link key="url" href={`/webhooks/${endpointId}`} class="clamp">
              <bdi>{url}</bdi>
            </Link>,
          ],
          [texts.at, <Moment key="at" at={createdAt} isExact />],
          [texts.state, <DeliveryBadge key="state" state={state} />],
          [texts.tries, tries],
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
    <Section title={texts.triesTitle} hint={history.length > 0 ? texts.answerHint : undefined}>
      {history.length === 0 && <p class="quiet">{texts.noTry}</p>}
      <ol class="tries">
        {history.toReversed().map(({ at, durationMs, status, fault, answer }) => (
          <li key={at} class="stack">
            <p class="try-head">
              <strong>
                <AttemptResult status={status} fault={fault} />
              </strong>
              <Moment at={at} isExact />
              <Duration ms={durationMs} />
            </p>
            {answer ? (
              <div class="code-tall code-short">
                <CodeBlock label={texts.answer} text={answer} />
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

function Resend({ deliveryId, resend }: { deliveryId: string; resend: ReturnType<typeof useResend> }) {
  const texts = useDeliveryTexts();
  return (
    <Button isWorking={resend.isPending} onClick={() => resend.mutate({ path: { deliveryId } })}>
      {texts.resend}
    </Button>
  );
}

function useResend() {
  const texts = useDeliveryTexts();
  const showToast = useShowToast();
  return useApiMutation('resendWebhookDelivery', {
    refreshes: ['getWebhookDelivery', 'listWebhookDeliveries'],
    onDone: () => showToast(texts.resent),
  });
}

/** The delivery of the URL. */
export default function DeliveryScreen() {
  const texts = useDeliveryTexts();
  const { may } = useSession();
  const { endpointId = '', deliveryId = '' } = useParams<{ endpointId: string; deliveryId: string }>();
  const [everyMs, setEveryMs] = useState<number | false>(false);
  const result = useApiQuery('getWebhookDelivery', { path: { deliveryId } }, { everyMs });
  const endpoint = useApiQuery('getWebhookEndpoint', { path: { endpointId } });
  const resend = useResend();
  const { data: delivery } = result;
  const isOn = endpoint.data?.status === 'enabled';
  const pace = delivery ? pollIntervalOf([delivery], isOn, new Date()) : false;
  useEffect(() => setEveryMs(pace), [pace]);
  const isOffered = delivery && delivery.state !== 'pending' && may('webhooks:manage');
  return (
    <Page
      title={texts.title}
      above={<Link href={`/webhooks/${endpointId}`}>← {texts.back}</Link>}
      actions={isOffered && <Resend deliveryId={deliveryId} resend={resend} />}
    >
      <FormError fault={resend.error} />
      <QueryContent result={result} rows={6}>
        {(found) => (
          <>
            <About delivery={found} isOn={isOn} />
            <div role="status" class="unseen">
              {texts.states[found.state]}
            </div>
            <DeliveryAttempts history={found.history} />
            <Request request={found.request} />
          </>
        )}
      </QueryContent>
    </Page>
  );
}
