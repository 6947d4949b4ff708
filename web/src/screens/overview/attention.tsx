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

type AttentionItemProps = { urgency: Urgency; to: string; act: string; children: ComponentChildren };

function AttentionItem({ urgency, to, act, children }: AttentionItemProps) {
  return (
    <li class="matter">
      <span class={`matter-sign matter-${urgency}`} aria-hidden="true">
        {signs[urgency]}
      </span>
      <div class="matter-words">
        {children}
        <Link href={to}>{act}</Link>
      </div>
    </li>
  );
}

function Ending({ expiring }: { expiring: Attention['expiring'] }) {
  const { attention } = useOverviewTexts();
  const { count, payments } = expiring;
  return (
    <AttentionItem urgency="open" to="/payments?status=open" act={attention.expiringAct}>
      <p>{count >= maxCountedExpiring ? attention.expiringMany : attention.expiring(count)}</p>
      <ul class="ending">
        {payments.map((payment) => (
          <li key={payment.PaymentLinkCode}>
            <Link href={`/payments/${payment.PaymentLinkCode}`} class="clamp">
              <bdi>{payment.customerOrderId}</bdi>
            </Link>
            <Money amount={payment.amount} currency={payment.currency} />
            <span class="quiet small">
              {attention.ends} <Distance at={payment.expiresAt} />
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
  const isAllWell = cases + unknown + failing + disabled + expiring.count === 0;
  return (
    <Section title={texts.title}>
      {isAllWell && (
        <p class="all-well">
          <span aria-hidden="true">✓</span> {texts.none}
        </p>
      )}
      {!isAllWell && (
        <ul class="matters">
          {cases > 0 && (
            <AttentionItem urgency="bad" to="/cases" act={texts.casesAct}>
              <p>{texts.cases(cases)}</p>
            </AttentionItem>
          )}
          {disabled > 0 && (
            <AttentionItem urgency="bad" to="/webhooks" act={texts.endpointsAct}>
              <p>{texts.disabled(disabled)}</p>
            </AttentionItem>
          )}
          {failing > 0 && (
            <AttentionItem urgency="busy" to="/webhooks" act={texts.endpointsAct}>
              <p>{texts.failing(failing)}</p>
            </AttentionItem>
          )}
          {unknown > 0 && (
            <AttentionItem urgency="busy" to="/payments?status=processing" act={texts.unknownAct}>
              <p>{texts.unknown(unknown)}</p>
            </AttentionItem>
          )}
          {expiring.count > 0 && <Ending expiring={expiring} />}
        </ul>
      )}
    </Section>
  );
}
