// How a delivery stands, and how a try of it went: as words for lists and for its own page.

import { formatCount } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Badge, Distance, type Tone } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useDeliveryTexts } from './delivery-texts.ts';
import type { PendingDelivery } from './poll-interval.ts';

const tones: Record<PendingDelivery['state'], Tone> = { pending: 'busy', delivered: 'good', failed: 'bad' };

/** The state in a word. */
export function DeliveryBadge({ state }: { state: PendingDelivery['state'] }) {
  const { states } = useDeliveryTexts();
  return <Badge tone={tones[state]}>{states[state]}</Badge>;
}

/** What came back: a status, or why there was none; a line when nothing was sent yet. */
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

/** How long a try took. */
export function Duration({ ms }: { ms: number }) {
  const texts = useDeliveryTexts();
  const { language } = useLanguage();
  return <span class="number">{texts.duration(formatCount(language, ms))}</span>;
}
