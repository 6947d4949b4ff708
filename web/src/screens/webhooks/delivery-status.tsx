// The result of an attempt to deliver, and when the next one is made.

import { formatCount } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Distance } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useDeliveryTexts } from './delivery-texts.ts';
import type { PendingDelivery } from './poll-interval.ts';

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
  const { language } = useLanguage();
  return <span class="number">{formatCount(language, ms)} ms</span>;
}
