// The forms of single values on all screens: amounts, times, statuses, and texts to copy.

import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { formatDistance, formatMoment, formatMoney, formatUtc } from '../base/format.ts';
import { useLanguage } from '../base/language.tsx';
import { useCommonTexts } from '../texts/common.ts';
import { Button } from './button.tsx';
import './long-text.css';

/** From this length on the text may not fit its box, so the box must be scrollable by keyboard. */
const scrollsFrom = 120;

/** A text that somebody else wrote, in a box that scrolls. It can’t change the text direction outside. */
export function LongText({ text }: { text: string }) {
  return (
    <bdi class="long-text" {...(text.length > scrollsFrom ? { tabIndex: 0 } : {})}>
      {text}
    </bdi>
  );
}

const visibleCharacters = 8;

/** Codes of a company begin alike, so their ends are shown. */
export function PaymentLink({ code }: { code: string }) {
  const { aPayment } = useCommonTexts();
  return (
    <Link href={`/payments/${code}`} title={code} class="nowrap">
      {aPayment} <span class="mono">…{code.slice(-visibleCharacters)}</span>
    </Link>
  );
}

export function Money({ amount, currency }: { amount: number; currency: string }) {
  const { language } = useLanguage();
  return <span class="money">{formatMoney(language, amount, currency)}</span>;
}

/** A time in local form, with the exact one in UTC on hover and on focus. */
export function Moment({ at, isExact = false }: { at: string; isExact?: boolean }) {
  const { language } = useLanguage();
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {formatMoment(language, at, isExact)}
    </time>
  );
}

const onceAMinuteMs = 60_000;

/** The distance to a moment, kept up to date, with the exact time on hover. */
export function Distance({ at }: { at: string }) {
  const { language } = useLanguage();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), onceAMinuteMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {formatDistance(language, at, now)}
    </time>
  );
}

export type Tone = 'good' | 'bad' | 'busy' | 'open' | 'quiet';

/** A status as a word. The colour only supports the word. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}

export function ModeBadge({ mode }: { mode: 'test' | 'live' }) {
  const common = useCommonTexts();
  return <Badge tone={mode === 'live' ? 'open' : 'quiet'}>{common[mode]}</Badge>;
}

type ApiPaymentStatus = 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'cancelled';

const paymentTones: Record<ApiPaymentStatus, Tone> = {
  open: 'open',
  processing: 'busy',
  paid: 'good',
  failed: 'bad',
  expired: 'quiet',
  cancelled: 'quiet',
};

type PaymentStatus = { status: ApiPaymentStatus; amount: number; refundedAmount: number };

/** The status of a payment, and how much of it was refunded. */
export function PaymentBadge({ payment }: { payment: PaymentStatus }) {
  const { payment: names } = useCommonTexts();
  const { status, amount, refundedAmount } = payment;
  if (status === 'paid' && refundedAmount > 0)
    return <Badge tone="quiet">{refundedAmount >= amount ? names.refunded : names.partlyRefunded}</Badge>;
  return <Badge tone={paymentTones[status]}>{names[status]}</Badge>;
}

export const deliveryTones = { pending: 'busy', delivered: 'good', failed: 'bad' } as const;

export function DeliveryBadge({ status }: { status: keyof typeof deliveryTones }) {
  const { deliveryStatuses } = useCommonTexts();
  return <Badge tone={deliveryTones[status]}>{deliveryStatuses[status]}</Badge>;
}

const copiedShownMs = 2_000;

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { copy, copied } = useCommonTexts();
  const [isCopied, setIsCopied] = useState(false);
  const act = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), copiedShownMs);
  };
  // Browsers offer the clipboard only to pages on https and on this machine. Elsewhere the person selects the text and
  // copies it.
  if (!isSecureContext) return null;
  return (
    <Button isSmall onClick={() => void act()}>
      <span aria-live="polite">{isCopied ? `${copied} ✓` : (label ?? copy)}</span>
    </Button>
  );
}

export function CodeLine({ text, label }: { text: string; label: string }) {
  return (
    <div class="code-line">
      <input
        class="mono"
        readOnly
        value={text}
        aria-label={label}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={text} />
    </div>
  );
}

export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <figure class="code-block">
      <figcaption class="apart">
        <span>{label}</span>
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an element that scrolls sideways must be focusable */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
