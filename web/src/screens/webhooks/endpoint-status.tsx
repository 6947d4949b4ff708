// Whether an endpoint is enabled, and why not: as a word for lists, and as a sentence for its own page.

import type { OperationResponse } from '../../api/call.ts';
import { Badge, Moment, type Tone } from '../../parts/values.tsx';
import { useWebhookTexts } from './texts.ts';

export type Endpoint = OperationResponse<'getWebhookEndpoint'>;
type EndpointStatus = Pick<Endpoint, 'status' | 'disabledReason' | 'failingSince'>;

function toneOf({ status, disabledReason, failingSince }: EndpointStatus): Tone {
  if (status === 'enabled') return failingSince ? 'busy' : 'good';
  return disabledReason === 'switched_off' ? 'quiet' : 'bad';
}

/** The status as a word. */
export function EndpointBadge({ endpoint }: { endpoint: EndpointStatus }) {
  const texts = useWebhookTexts();
  const isOn = endpoint.status === 'enabled';
  const word = isOn && endpoint.failingSince ? texts.failing : isOn ? texts.on : texts.off;
  return <Badge tone={toneOf(endpoint)}>{word}</Badge>;
}

/** Why an endpoint is disabled, or since when it fails; nothing for a healthy one. */
export function EndpointTrouble({ endpoint }: { endpoint: EndpointStatus }) {
  const texts = useWebhookTexts();
  const { status, disabledReason, failingSince } = endpoint;
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
  if (!failingSince) return null;
  return (
    <div class="notice notice-busy">
      <p>
        {texts.failingSince} <Moment at={failingSince} />. {texts.failingHint}
      </p>
    </div>
  );
}
