// One entry of the audit log: what it is about, and all of its data. The data may come from anybody, customers
// included, and is shown as text.

import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useSession } from '../../api/session.tsx';
import { formatUtc } from '../../base/format.ts';
import { PaymentLink } from '../../parts/payment-link.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useAuditTexts } from './texts.ts';

export type AuditEntry = OperationResponse<'listAuditEvents'>['data'][number];

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What an entry is about: a payment, an endpoint, or something with a name. */
export function About({ entry: { PaymentLinkCode: code, data } }: { entry: AuditEntry }) {
  const { may } = useSession();
  const texts = useAuditTexts();
  const { none } = useCommonTexts();
  if (code !== null) return <PaymentLink code={code} />;
  const { endpointId, url, name, format } = data;
  if (isText(endpointId) && may('webhooks:read'))
    return (
      <Link href={`/webhooks/${endpointId}`} class="clamp">
        {isText(url) ? <bdi>{url}</bdi> : texts.endpoint}
      </Link>
    );
  const label = [name, url, format].find(isText);
  return label === undefined ? <span class="quiet">{none}</span> : <bdi class="clamp">{label}</bdi>;
}

function Row({ name, children }: { name: ComponentChildren; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** All data of an entry, on demand. */
export function Details({ entry }: { entry: AuditEntry }) {
  const texts = useAuditTexts();
  const { id, type, createdAt, actor, attemptId, refundId, data } = entry;
  const ids = [
    [texts.actor, actor],
    [texts.event, id],
    [texts.attempt, attemptId],
    [texts.refund, refundId],
  ] as const;
  return (
    <details class="audit-details">
      <summary>
        {texts.details} · <span class="mono">{type}</span>
      </summary>
      <dl class="stack-small facts small">
        <Row name={texts.exact}>{formatUtc(createdAt)}</Row>
        {ids.map(
          ([name, value]) =>
            value && (
              <Row key={name} name={name}>
                <span class="mono">{value}</span>
              </Row>
            ),
        )}
        {Object.entries(data).map(([name, value]) => (
          <Row key={name} name={<span class="mono">{name}</span>}>
            <bdi class="audit-value">{textOf(value)}</bdi>
          </Row>
        ))}
      </dl>
    </details>
  );
}
