// What needs a merchant's attention, most urgent first, each with a link; or a message that there is nothing. The API
// omits what the role may not see.

import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { Section } from '../../parts/page.tsx';
import { Distance, Money } from '../../parts/values.tsx';
import { useOverviewTexts } from './texts.ts';

type Attention = OperationResponse<'getOverview'>['attention'];
type Urgency = 'bad' | 'busy' | 'open';

/** The maximum count of expiring links. */
const maxCountedExpiring = 1_000;

const signs: Record<Urgency, string> = { bad: '!', busy: '?', open: '›' };

type AttentionItemProps = { urgency: Urgency; to: string; linkText: string; children: ComponentChildren };

function AttentionItem({ urgency, to, linkText, children }: AttentionItemProps) {
  return (
    <li class="attention-item">
      <span class={`attention-sign badge-${urgency}`} aria-hidden="true">
        {signs[urgency]}
      </span>
      <div class="attention-text">
        {children}
        <Link href={to}>{linkText}</Link>
      </div>
    </li>
  );
}

function Expiring({ expiring }: { expiring: Attention['expiring'] }) {
  const { attention } = useOverviewTexts();
  const { count, payments } = expiring;
  return (
    <AttentionItem urgency="open" to="/payments?status=open" linkText={attention.viewOpen}>
      <p>{count >= maxCountedExpiring ? attention.expiringMany : attention.expiring(count)}</p>
      <ul class="expiring-list">
        {payments.map((payment) => (
          <li key={payment.PaymentLinkCode}>
            <Link href={`/payments/${payment.PaymentLinkCode}`} class="clamp">
              <bdi>{payment.customerOrderId}</bdi>
            </Link>
            <Money amount={payment.amount} currency={payment.currency} />
            <span class="quiet small">
              {attention.expires} <Distance at={payment.expiresAt} />
            </span>
          </li>
        ))}
      </ul>
    </AttentionItem>
  );
}

/** The list of what needs attention. */
export function NeedsAttention({ attention }: { attention: Attention }) {
  const { attention: texts } = useOverviewTexts();
  const { cases, unknown, expiring } = attention;
  const [failing, disabled] = [attention.failingEndpoints ?? 0, attention.disabledEndpoints ?? 0];
  const items = [
    [cases, 'bad', '/cases', texts.cases, texts.viewCases],
    [disabled, 'bad', '/webhooks', texts.disabled, texts.viewEndpoints],
    [failing, 'busy', '/webhooks', texts.failing, texts.viewEndpoints],
    [unknown, 'busy', '/payments?status=processing', texts.unknown, texts.viewUnknown],
  ] as const;
  const isEmpty = expiring.count === 0 && items.every(([count]) => count === 0);
  return (
    <Section title={texts.title}>
      {isEmpty && (
        <p class="all-well">
          <span aria-hidden="true">✓</span> {texts.none}
        </p>
      )}
      {!isEmpty && (
        <ul class="attention-list">
          {items.map(
            ([count, urgency, to, text, linkText], index) =>
              count > 0 && (
                <AttentionItem key={index} {...{ urgency, to, linkText }}>
                  <p>{text(count)}</p>
                </AttentionItem>
              ),
          )}
          {expiring.count > 0 && <Expiring expiring={expiring} />}
        </ul>
      )}
    </Section>
  );
}
