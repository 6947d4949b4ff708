// All fields of a payment link. They are texts that people wrote, and are shown as text.

import type { ComponentChildren } from 'preact';
import type { OperationResponse } from '../../api/call.ts';
import { formatCountry, formatLanguage } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { ModeBadge, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { usePaymentTexts } from './texts.ts';

type Payment = OperationResponse<'getPayment'>;
type Fact = readonly [name: string, value: ComponentChildren];

function Text({ text }: { text: string | null }) {
  const { none } = useCommonTexts();
  return text ? <LongText text={text} /> : <span class="quiet">{none}</span>;
}

/** The customer and the order. */
function useOrderFacts(payment: Payment): Fact[] {
  const texts = usePaymentTexts();
  const { language } = useLanguage();
  const name = [payment.firstName, payment.lastName].filter(Boolean).join(' ');
  return [
    [texts.order, <Text key="order" text={payment.customerOrderId} />],
    [texts.customer, <Text key="customer" text={name} />],
    [texts.email, <Text key="email" text={payment.email} />],
    [texts.phone, <Text key="phone" text={payment.phone} />],
    [texts.country, formatCountry(language, payment.country)],
    [texts.description, <Text key="description" text={payment.description} />],
  ];
}

/** The link itself. */
function useLinkFacts(payment: Payment): Fact[] {
  const texts = usePaymentTexts();
  const { language } = useLanguage();
  return [
    [texts.created, <Moment key="created" at={payment.CreatedOn} isExact />],
    [texts.expires, <Moment key="expires" at={payment.expiresAt} isExact />],
    [texts.language, payment.locale ? formatLanguage(language, payment.locale) : texts.browserLanguage],
    [texts.successUrl, <Text key="success" text={payment.success_url} />],
    [texts.failureUrl, <Text key="failure" text={payment.failure_url} />],
    [texts.mode, <ModeBadge key="mode" mode={payment.mode} />],
    [texts.code, <code key="code">{payment.PaymentLinkCode}</code>],
  ];
}

/** Further pairs are shown on demand. */
const maxShown = 6;

/** The metadata of the merchant. */
function Metadata({ metadata }: Pick<Payment, 'metadata'>) {
  const texts = usePaymentTexts();
  const pairs = Object.entries(metadata);
  if (pairs.length === 0) return null;
  return (
    <details open={pairs.length <= maxShown}>
      <summary class="strong">{texts.metadata(String(pairs.length))}</summary>
      <dl class="stack-small facts payment-details">
        {pairs.map(([name, value]) => (
          <div key={name}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <LongText text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** The details of a payment. */
export function Details({ payment }: { payment: Payment }) {
  const texts = usePaymentTexts();
  const facts = [...useOrderFacts(payment), ...useLinkFacts(payment)];
  return (
    <Section title={texts.details}>
      <div class="payment-details">
        <Facts items={facts} />
      </div>
      <Metadata metadata={payment.metadata} />
    </Section>
  );
}
