// The first screen after the sign-in: the figures, what needs attention, and the latest payments. It follows the event
// feed, so it is current without a reload. It must stay small, so that it loads fast.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { localTimeZone } from '../../base/format.ts';
import { useUrlState } from '../../base/url-state.ts';
import { LinkButton } from '../../parts/button.tsx';
import { Segments } from '../../parts/field.tsx';
import { EmptyState, Page, QueryContent, Section } from '../../parts/page.tsx';
import { type Column, Table, useNamedColumns } from '../../parts/table.tsx';
import { Distance, ModeBadge, Money, PaymentBadge } from '../../parts/values.tsx';
import { type Days, Figures } from './figures.tsx';
import { useOverviewTexts } from './texts.ts';
import './overview.css';

type Attention = OperationResponse<'getOverview'>['attention'];
type Urgency = 'bad' | 'busy' | 'open';

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
      <p>{count >= maxCountedExpiring ? attention.expiringMany : attention.expiring({ count })}</p>
      <ul class="stack-small expiring-list">
        {payments.map((payment) => (
          <li key={payment.PaymentLinkCode}>
            <Link href={`/payments/${payment.PaymentLinkCode}`} class="clamp">
              <bdi>{payment.customerOrderId}</bdi>
            </Link>
            <Money amount={payment.amount} currency={payment.currency} />
            <span class="quiet small">
              {attention.expires.parts({ time: <Distance at={payment.expiresAt} /> })}
            </span>
          </li>
        ))}
      </ul>
    </AttentionItem>
  );
}

function NeedsAttention({ attention }: { attention: Attention }) {
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
        <ul class="stack">
          {items.map(
            ([count, urgency, to, text, linkText], index) =>
              count > 0 && (
                <AttentionItem key={index} {...{ urgency, to, linkText }}>
                  <p>{text({ count })}</p>
                </AttentionItem>
              ),
          )}
          {expiring.count > 0 && <Expiring expiring={expiring} />}
        </ul>
      )}
    </Section>
  );
}

type Payment = OperationResponse<'listPayments'>['data'][number];

function nameOf({ firstName, lastName, email }: Payment): string {
  return [firstName, lastName].filter(Boolean).join(' ') || email;
}

function useColumns(): Column<Payment>[] {
  const texts = useOverviewTexts();
  const { mode } = useSession();
  return useNamedColumns(texts, {
    order: ({ PaymentLinkCode, customerOrderId }) => (
      <Link href={`/payments/${PaymentLinkCode}`} class="clamp">
        <bdi>{customerOrderId}</bdi>
      </Link>
    ),
    customer: (payment) => <bdi class="clamp">{nameOf(payment)}</bdi>,
    status: (payment) => (
      <span class="row">
        <PaymentBadge payment={payment} />
        {payment.mode !== mode && <ModeBadge mode={payment.mode} />}
      </span>
    ),
    created: ({ createdAt }) => <Distance at={createdAt} />,
    amount: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  });
}

function Latest({ payments }: { payments: readonly Payment[] }) {
  const texts = useOverviewTexts();
  return (
    <Section title={texts.latest} actions={<Link href="/payments">{texts.allPayments}</Link>}>
      <Table
        caption={texts.latest}
        columns={useColumns()}
        rows={payments}
        keyOf={({ PaymentLinkCode }) => PaymentLinkCode}
      />
    </Section>
  );
}

type Overview = OperationResponse<'getOverview'>;
type Payments = OperationResponse<'listPayments'>['data'];

const dayChoices: readonly Days[] = [1, 7, 30];
/** Links expire and days begin without an event. */
const refetchIntervalMs = 60_000;

const daysOf = (text: string | undefined): Days => dayChoices.find((days) => String(days) === text) ?? 7;

function Welcome() {
  const { may, session } = useSession();
  const { welcome, screens } = useOverviewTexts();
  const mayCreate = may('payments:create');
  return (
    <Section>
      <EmptyState title={welcome.title}>
        <p>
          <bdi class="strong clamp">{session.companyName}</bdi>
        </p>
        <p class="welcome-text">{mayCreate ? welcome.hint : welcome.hintReader}</p>
        {mayCreate && (
          <div class="actions actions-middle">
            <LinkButton to="/start" weight="main">
              {screens.start}
            </LinkButton>
            <LinkButton to="/payments/new">{screens.newLink}</LinkButton>
          </div>
        )}
      </EmptyState>
    </Section>
  );
}

function OverviewFigures({ overview, days }: { overview: Overview; days: Days }) {
  const texts = useOverviewTexts();
  const { currencies } = overview;
  if (currencies.length === 0)
    return (
      <Section>
        <EmptyState title={texts.noPayments} hint={texts.noPaymentsHint} />
      </Section>
    );
  return (
    <>
      {currencies.map((one) => (
        <Figures key={one.currency} of={one} days={days} />
      ))}
      <p class="quiet small">{texts.figures.hint}</p>
    </>
  );
}

type BoardProps = { overview: Overview; payments: Payments; days: Days; isOutdated: boolean };

function Board({ overview, payments, days, isOutdated }: BoardProps) {
  if (payments.length === 0) return <Welcome />;
  return (
    <div class="board">
      <div class="board-side">
        <NeedsAttention attention={overview.attention} />
      </div>
      <div class={isOutdated ? 'stack board-main board-outdated' : 'stack board-main'} aria-busy={isOutdated}>
        <OverviewFigures overview={overview} days={days} />
        <Latest payments={payments} />
      </div>
    </div>
  );
}

export default function OverviewScreen() {
  const texts = useOverviewTexts();
  const { may } = useSession();
  const [values, change] = useUrlState();
  const days = daysOf(values.days);
  const query = { days: `${days}`, timeZone: localTimeZone() } as const;
  const overview = useApiQuery('getOverview', { query }, { keepsPrevious: true, refetchIntervalMs });
  // While another response loads, the previous one is shown with its own label.
  const shownDays = useRef(days);
  if (!overview.isPlaceholderData) shownDays.current = days;
  const latest = useApiQuery('listPayments', { query: { limit: 5 } });
  const hasPayments = latest.data?.data.length !== 0;
  return (
    <Page
      title={texts.screens.overview}
      actions={
        hasPayments && (
          <>
            <Segments
              label={texts.days}
              value={String(days)}
              choices={dayChoices.map((one) => ({ value: String(one), label: texts.dayChoices[one] }))}
              onInput={(next) => change({ days: next === '7' ? '' : next })}
            />
            {may('payments:create') && (
              <span class="beside-menu">
                <LinkButton to="/payments/new" weight="main">
                  {texts.screens.newLink}
                </LinkButton>
              </span>
            )}
          </>
        )
      }
    >
      <QueryContent result={latest} rows={8}>
        {({ data: payments }) => (
          <QueryContent result={overview} rows={8}>
            {(answer) => (
              <Board
                overview={answer}
                payments={payments}
                days={shownDays.current}
                isOutdated={overview.isPlaceholderData}
              />
            )}
          </QueryContent>
        )}
      </QueryContent>
    </Page>
  );
}
