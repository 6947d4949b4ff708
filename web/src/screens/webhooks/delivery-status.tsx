// The status of a delivery, and the result of an attempt: as words for lists and for its own page.

import { formatCount } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Badge, Distance, type Tone } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useDeliveryTexts } from './delivery-texts.ts';
import type { PendingDelivery } from './poll-interval.ts';

const tones: Record<PendingDelivery['state'], Tone> = { pending: 'busy', delivered: 'good', failed: 'bad' };

/** The status as a word. */
export function DeliveryBadge({ state }: { state: PendingDelivery['state'] }) {
  const { states } = useDeliveryTexts();
  return <Badge tone={tones[state]}>{states[state]}</Badge>;
}

/** The response: a status, or why there was none; a dash if nothing was sent yet. */
export function AttemptResult({ status, fault }: { status: number | null; fault: string | null }) {
  const texts = useDeliveryTexts();
  const { none } = useCommonTexts();
  const faults: Readonly<Record<string, string>> = texts.faults;
  if (status !== null) return <span class="number">HTTP {status}</span>;
  return <>{fault === null ? none : (faults[fault] ?? fault)}</>;
}

/** When it is sent next. */
export function NextAttempt({ delivery, isOn }: { delivery: PendingDelivery; isOn: boolean }) {
  const texts = useDeliveryTexts();
  const { none } = useCommonTexts();
  const { state, nextTryAt } = delivery;
  if (state !== 'pending' || nextTryAt === null) return <span>{none}</span>;
  return isOn ? <Distance at={nextTryAt} /> : <span>{texts.nextOff}</span>;
}

/** The duration of an attempt. */
export function Duration({ ms }: { ms: number }) {
  const texts = useDeliveryTexts();
  const { language } = useLanguage();
  return <span class="number">{texts.duration(formatCount(language, ms))}</span>;
}
