// A test that is sent to an endpoint, and its result: the delivery is polled until it has ended.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiMutation, useApiQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { FormError } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { FailedState } from '../../parts/states.tsx';
import { AttemptResult, Duration, NextAttempt } from './delivery-status.tsx';
import { useDeliveryTexts } from './delivery-texts.ts';
import type { Endpoint } from './endpoint-status.tsx';
import { pollDelivery } from './poll-interval.ts';
import { useWebhookTexts } from './texts.ts';

type Delivery = OperationResponse<'getWebhookDelivery'>;

const classNames = {
  delivered: 'notice notice-good',
  pending: 'notice notice-busy',
  failed: 'notice notice-bad',
};

function Result({ delivery, isOn }: { delivery: Delivery; isOn: boolean }) {
  const texts = useWebhookTexts();
  const { next } = useDeliveryTexts();
  const { state, history, endpointId, deliveryId, lastStatus, lastFault } = delivery;
  const last = history.at(-1);
  const sentences = { delivered: texts.testDelivered, pending: texts.testWaiting, failed: texts.testFailed };
  if (!last) return <p class="notice">{texts.testSending}</p>;
  return (
    <div class={classNames[state]}>
      <p>{sentences[state]}</p>
      <p>
        <AttemptResult status={lastStatus} fault={lastFault} /> · <Duration ms={last.durationMs} />
      </p>
      {state === 'pending' && (
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

/** The button, and the result. */
export function TestRun({ endpoint }: { endpoint: Endpoint }) {
  const texts = useWebhookTexts();
  const [deliveryId, setDeliveryId] = useState<string | null>(null);
  const test = useApiMutation('testWebhookEndpoint', {
    invalidates: ['listWebhookDeliveries'],
    onSuccess: (delivery) => setDeliveryId(delivery.deliveryId),
  });
  const isOn = endpoint.status === 'enabled';
  const button = (
    <Button isWorking={test.isPending} onClick={() => test.mutate({ path: { endpointId: endpoint.id } })}>
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
