// The timeline of a payment, oldest first: what, who and when. The icons only support the text.

import { type useApiList, useMorePages } from '../../api/queries.ts';
import { formatMoment, formatMoney } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { FailedState, LoadingState, Section } from '../../parts/page.tsx';
import { LongText, Moment, type Tone } from '../../parts/values.tsx';
import { useActor, useDeclineReason, useEventTexts } from '../../texts/events.ts';
import { type HistoryEvent, numberAttempts } from './history.ts';
import { usePaymentTexts } from './texts.ts';

type Sign = readonly [sign: string, tone: Tone];

const plain: Sign = ['•', 'quiet'];
const signs: Readonly<Record<string, Sign>> = {
  'payment.created': ['+', 'open'],
  'payment.opened': ['→', 'open'],
  'payment.processing': ['…', 'busy'],
  'payment.reopened': ['↺', 'open'],
  'payment.paid': ['✓', 'good'],
  'payment.failed': ['✕', 'bad'],
  'payment.expired': ['⏱', 'quiet'],
  'payment.cancelled': ['✕', 'quiet'],
  'payment.link_sent': ['✉', 'open'],
  'payment.reminded': ['✉', 'open'],
  'payment.link_requested': ['?', 'busy'],
  'payment.partly_paid': ['½', 'busy'],
  'payment.transfer_review': ['!', 'busy'],
  'payment.late': ['!', 'busy'],
  'attempt.unknown': ['?', 'busy'],
  'attempt.succeeded': ['✓', 'good'],
  'attempt.declined': ['✕', 'bad'],
  'attempt.escalated': ['!', 'bad'],
  'attempt.contradicted': ['!', 'bad'],
  'case.closed': ['✓', 'quiet'],
  'refund.created': ['↩', 'busy'],
  'refund.succeeded': ['↩', 'good'],
  'refund.unknown': ['?', 'busy'],
  'refund.failed': ['✕', 'bad'],
  'refund.escalated': ['!', 'bad'],
  'mail.failed': ['!', 'bad'],
};

type Data = HistoryEvent['data'];

const textIn = (data: Data, name: string) => (typeof data[name] === 'string' ? data[name] : null);
const numberIn = (data: Data, name: string) => (typeof data[name] === 'number' ? data[name] : null);

/** The details of an event beyond its type, as sentences. */
function useDetails(): (data: Data) => string[] {
  const texts = usePaymentTexts();
  const reasonText = useDeclineReason();
  const { language } = useLanguage();
  return (data) => {
    const sentences: string[] = [];
    const declineCode = textIn(data, 'declineCode');
    if (declineCode) sentences.push(texts.because({ reason: reasonText(declineCode) }));
    const [amount, due] = [numberIn(data, 'amount'), numberIn(data, 'due')];
    const currency = textIn(data, 'currency');
    if (amount !== null && currency) {
      const money = formatMoney(language, amount, currency);
      sentences.push(
        due === null ? money : texts.partOf({ part: money, left: formatMoney(language, due, currency) }),
      );
    }
    const { expiresAt, metadata } = data;
    if (expiresAt && typeof expiresAt === 'object' && 'to' in expiresAt)
      sentences.push(texts.newExpiry({ expires: formatMoment(language, String(expiresAt.to)) }));
    if (Array.isArray(metadata)) sentences.push(texts.newMetadata({ names: metadata.join(', ') }));
    return sentences;
  };
}

function Entry({ event, attempt }: { event: HistoryEvent; attempt: number | undefined }) {
  const texts = usePaymentTexts();
  const eventText = useEventTexts();
  const actorText = useActor();
  const details = useDetails()(event.data);
  const [sign, tone] = signs[event.type] ?? plain;
  return (
    <li>
      <span class={`timeline-sign badge-${tone}`} aria-hidden="true">
        {sign}
      </span>
      <div>
        <p class="strong">{eventText(event.type)}</p>
        {details.map((detail) => (
          <p key={detail}>
            <LongText text={detail} />
          </p>
        ))}
        <p class="quiet small">
          <Moment at={event.createdAt} isExact /> · <bdi>{actorText(event)}</bdi>
          {attempt !== undefined && ` · ${texts.attempt({ number: attempt })}`}
        </p>
      </div>
    </li>
  );
}

/** The timeline is shown in full: its pages are loaded one after another. */
export function Timeline({ list }: { list: ReturnType<typeof useApiList<'listPaymentEvents'>> }) {
  const texts = usePaymentTexts();
  useMorePages(list, true);
  const { entries, error, isPending, hasNextPage } = list;
  const attempts = numberAttempts(entries);
  return (
    <Section title={texts.timeline}>
      <ol class="timeline">
        {entries.map((event) => (
          <Entry key={event.eventId} event={event} attempt={attempts.get(event.attemptId ?? '')} />
        ))}
      </ol>
      {error ? <FailedState fault={error} retry={() => void list.refetch()} /> : null}
      {!error && (isPending || hasNextPage) && <LoadingState rows={4} />}
    </Section>
  );
}
