// One endpoint: its events, its health, its actions, and its deliveries.

import { useState } from 'preact/hooks';
import { Link, useLocation, useParams } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiMutation, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { FormError } from '../../parts/field.tsx';
import { Facts, FailedState, Page, QueryContent, Section } from '../../parts/page.tsx';
import { defaultOverlap, OverlapField, type OverlapHours } from '../../parts/secrets.tsx';
import { useAction, useShowFault, useShowToast } from '../../parts/toasts.tsx';
import { deliveryTones, ModeBadge, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useEventTexts } from '../../texts/events.ts';
import { Deliveries } from './deliveries.tsx';
import { useDeliveryTexts } from './delivery-texts.ts';
import { EditEndpoint, EndpointSecret, isEvery } from './endpoint-form.tsx';
import {
  AttemptResult,
  Duration,
  type Endpoint,
  EndpointBadge,
  EndpointTrouble,
  NextAttempt,
} from './endpoint-status.tsx';
import { pollDelivery } from './poll-interval.ts';
import { useWebhookTexts } from './texts.ts';
import './webhooks.css';

type Delivery = OperationResponse<'getWebhookDelivery'>;

function Result({ delivery, isOn }: { delivery: Delivery; isOn: boolean }) {
  const texts = useWebhookTexts();
  const { next } = useDeliveryTexts();
  const { status, history, endpointId, deliveryId, lastStatus, lastFault } = delivery;
  const last = history.at(-1);
  const sentences = { delivered: texts.testDelivered, pending: texts.testWaiting, failed: texts.testFailed };
  if (!last) return <p class="notice">{texts.testSending}</p>;
  return (
    <div class={`notice notice-${deliveryTones[status]}`}>
      <p>{sentences[status]}</p>
      <p>
        <AttemptResult status={lastStatus} fault={lastFault} /> · <Duration ms={last.durationMs} />
      </p>
      {status === 'pending' && (
        <p>
          {next}: <NextAttempt delivery={delivery} isOn={isOn} />
        </p>
      )}
      <Link href={`/webhooks/${endpointId}/${deliveryId}`}>{texts.viewDelivery}</Link>
    </div>
  );
}

function Watched({ deliveryId, isOn }: { deliveryId: string; isOn: boolean }) {
  const texts = useWebhookTexts();
  const input = { path: { deliveryId } };
  const { data, error, refetch } = useApiQuery('getWebhookDelivery', input, pollDelivery(isOn));
  return (
    <div role="status">
      {data && <Result delivery={data} isOn={isOn} />}
      {!data && error && <FailedState fault={error} retry={() => void refetch()} />}
      {!data && !error && <p class="notice">{texts.testSending}</p>}
    </div>
  );
}

function TestRun({ endpoint }: { endpoint: Endpoint }) {
  const texts = useWebhookTexts();
  const [deliveryId, setDeliveryId] = useState<string | null>(null);
  const test = useApiMutation('testWebhookEndpoint', {
    invalidates: ['listWebhookDeliveries'],
    onSuccess: (delivery) => setDeliveryId(delivery.deliveryId),
  });
  const isOn = endpoint.status === 'enabled';
  const button = (
    <Button
      isWorking={test.isPending}
      onClick={() => test.mutate({ path: { endpointId: endpoint.endpointId } })}
    >
      {texts.test}
    </Button>
  );
  return (
    <Section title={texts.testTitle} hint={isOn ? texts.testHint : texts.testOff} actions={isOn && button}>
      <FormError fault={test.error} />
      {deliveryId && <Watched key={deliveryId} deliveryId={deliveryId} isOn={isOn} />}
    </Section>
  );
}

const invalidates = ['listWebhookEndpoints', 'getWebhookEndpoint', 'listWebhookDeliveries'] as const;

type DialogProps = { endpoint: Endpoint; onClose(): void };

function SwitchOn({ endpoint, onClose }: DialogProps) {
  const texts = useWebhookTexts();
  const { switchOn } = useCommonTexts();
  const change = useAction('updateWebhookEndpoint', texts.switchedOn, { invalidates, onClose });
  return (
    <FormDialog
      title={texts.switchOnTitle}
      action={switchOn}
      request={change}
      onSubmit={() =>
        change.mutate({ path: { endpointId: endpoint.endpointId }, body: { status: 'enabled' } })
      }
      onClose={onClose}
    >
      <p>{texts.switchOnHint}</p>
    </FormDialog>
  );
}

/** Disables at once and offers to undo it. It outlives its button, which is hidden while the endpoint is disabled. */
function useSwitchOff({ endpointId }: Endpoint) {
  const texts = useWebhookTexts();
  const { undo } = useCommonTexts();
  const showToast = useShowToast();
  const onError = useShowFault();
  const change = useApiMutation('updateWebhookEndpoint', { invalidates });
  const path = { endpointId };
  const switchOn = () => change.mutate({ path, body: { status: 'enabled' } }, { onError });
  const onSuccess = () => showToast(texts.switchedOff, { label: undo, run: switchOn });
  const switchOff = () => change.mutate({ path, body: { status: 'disabled' } }, { onError, onSuccess });
  return { isWorking: change.isPending, switchOff };
}

function Roll({ endpoint: { endpointId, previousSecretExpiresAt }, onClose }: DialogProps) {
  const texts = useWebhookTexts();
  const [hours, setHours] = useState<OverlapHours>(defaultOverlap);
  const [secret, setSecret] = useState<string | null>(null);
  const roll = useApiMutation('rollWebhookSecret', {
    invalidates,
    onSuccess: (created) => setSecret(created.secret),
  });
  if (secret !== null) return <EndpointSecret secret={secret} onClose={onClose} />;
  return (
    <FormDialog
      action={texts.rollAction}
      request={roll}
      onSubmit={() => roll.mutate({ path: { endpointId }, body: { overlapHours: Number(hours) } })}
      onClose={onClose}
    >
      {previousSecretExpiresAt && <p class="notice notice-busy">{texts.rollAgain}</p>}
      <OverlapField hint={texts.rollHint} value={hours} onInput={setHours} />
    </FormDialog>
  );
}

function Delete({ endpoint: { endpointId, url }, onClose }: DialogProps) {
  const texts = useWebhookTexts();
  const [, navigate] = useLocation();
  const remove = useAction('deleteWebhookEndpoint', texts.deleted, {
    invalidates: ['listWebhookEndpoints'],
    onSuccess: () => navigate('/webhooks'),
  });
  return (
    <FormDialog
      action={texts.deleteAction}
      weight="bad"
      request={remove}
      onSubmit={() => remove.mutate({ path: { endpointId } })}
      onClose={onClose}
    >
      <p>
        <bdi class="mono">{url}</bdi>
      </p>
      <p>{texts.deleteHint}</p>
    </FormDialog>
  );
}

const dialogs = { edit: EditEndpoint, switchOn: SwitchOn, roll: Roll, delete: Delete } as const;

function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const texts = useWebhookTexts();
  const common = useCommonTexts();
  const [opened, setOpened] = useState<keyof typeof dialogs | null>(null);
  const off = useSwitchOff(endpoint);
  const Opened = opened && dialogs[opened];
  return (
    <>
      <Button onClick={() => setOpened('edit')}>{texts.edit}</Button>
      {endpoint.status === 'enabled' ? (
        <Button isWorking={off.isWorking} onClick={off.switchOff}>
          {common.switchOff}
        </Button>
      ) : (
        <Button weight="main" onClick={() => setOpened('switchOn')}>
          {common.switchOn}
        </Button>
      )}
      <Button onClick={() => setOpened('roll')}>{texts.roll}</Button>
      <Button weight="bad" onClick={() => setOpened('delete')}>
        {common.delete}
      </Button>
      {Opened && <Opened endpoint={endpoint} onClose={() => setOpened(null)} />}
    </>
  );
}

function Events({ events }: { events: readonly string[] }) {
  const texts = useWebhookTexts();
  const eventText = useEventTexts();
  if (isEvery(events)) return <>{texts.allEvents}</>;
  return (
    <details>
      <summary>{texts.chosenCount({ count: events.length })}</summary>
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
  const { url, description, events, mode, createdAt, previousSecretExpiresAt } = endpoint;
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
          ...(previousSecretExpiresAt
            ? [[texts.previousSecret, <Moment key="until" at={previousSecretExpiresAt} />] as const]
            : []),
        ]}
      />
    </Section>
  );
}

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
