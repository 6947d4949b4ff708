// The status of an endpoint, as a word for lists and a sentence for its own page, and the results of deliveries.

import type { OperationResponse } from '../../api/call.ts';
import { formatCount } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Badge, Distance, Moment, type Tone } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useDeliveryTexts } from './delivery-texts.ts';
import type { PendingDelivery } from './poll-interval.ts';
import { useWebhookTexts } from './texts.ts';

/** The response: a status, or why there was none; a dash if nothing was sent yet. */
export function AttemptResult({ status, fault }: { status: number | null; fault: string | null }) {
  const texts = useDeliveryTexts();
  const { none } = useCommonTexts();
  const faults: Readonly<Record<string, string>> = texts.faults;
  if (status !== null) return <span class="number">HTTP {status}</span>;
  return <>{fault === null ? none : (faults[fault] ?? fault)}</>;
}

export function NextAttempt({ delivery, isOn }: { delivery: PendingDelivery; isOn: boolean }) {
  const texts = useDeliveryTexts();
  const { none } = useCommonTexts();
  const { status, nextTryAt } = delivery;
  if (status !== 'pending' || nextTryAt === null) return <span>{none}</span>;
  return isOn ? <Distance at={nextTryAt} /> : <span>{texts.nextOff}</span>;
}

export function Duration({ ms }: { ms: number }) {
  const { language } = useLanguage();
  return <span class="number">{formatCount(language, ms)} ms</span>;
}

export type Endpoint = OperationResponse<'getWebhookEndpoint'>;
type EndpointStatus = Pick<Endpoint, 'status' | 'disabledReason' | 'firstFailedAt'>;

function toneOf({ status, disabledReason, firstFailedAt }: EndpointStatus): Tone {
  if (status === 'enabled') return firstFailedAt ? 'busy' : 'good';
  return disabledReason === 'switched_off' ? 'quiet' : 'bad';
}

export function EndpointBadge({ endpoint }: { endpoint: EndpointStatus }) {
  const texts = useWebhookTexts();
  const isOn = endpoint.status === 'enabled';
  const word = isOn && endpoint.firstFailedAt ? texts.failing : isOn ? texts.on : texts.off;
  return <Badge tone={toneOf(endpoint)}>{word}</Badge>;
}

/** Why an endpoint is disabled, or since when it fails; nothing for a healthy one. */
export function EndpointTrouble({ endpoint }: { endpoint: EndpointStatus }) {
  const texts = useWebhookTexts();
  const { status, disabledReason, firstFailedAt } = endpoint;
  const reasons: Readonly<Record<string, string>> = texts.reasons;
  if (status !== 'enabled') {
    const tone = disabledReason === 'switched_off' ? 'notice' : 'notice notice-bad';
    const reason = reasons[disabledReason ?? ''] ?? texts.reasons.switched_off;
    return (
      <p class={tone}>
        {reason} {texts.kept}
      </p>
    );
  }
  if (!firstFailedAt) return null;
  return (
    <div class="notice notice-busy">
      <p>
        {texts.failingSince.parts({ time: <Moment at={firstFailedAt} /> })} {texts.failingHint}
      </p>
    </div>
  );
}
