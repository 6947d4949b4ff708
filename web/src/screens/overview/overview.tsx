// The first screen after the sign-in: the figures, what needs attention, and the latest payments. It follows the event
// feed, so it is current without a reload. It must stay small, so that it loads fast.

import { useRef } from 'preact/hooks';
import type { OperationResponse } from '../../api/call.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { localTimeZone } from '../../base/format.ts';
import { useUrlState } from '../../base/url-state.ts';
import { LinkButton } from '../../parts/button.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Segments } from '../../parts/segments.tsx';
import { EmptyState, QueryContent } from '../../parts/states.tsx';
import { NeedsAttention } from './attention.tsx';
import { type Days, Figures } from './figures.tsx';
import { Latest } from './latest.tsx';
import './overview.css';
import { useOverviewTexts } from './texts.ts';

type Overview = OperationResponse<'getOverview'>;
type Payments = OperationResponse<'listPayments'>['data'];

const dayChoices: readonly Days[] = [1, 7, 30];
/** Links expire and days begin without an event. */
const refetchIntervalMs = 60_000;

const daysOf = (text: string | undefined): Days => dayChoices.find((days) => String(days) === text) ?? 7;

/** For a company without payments. */
function Welcome() {
  const { may, session } = useSession();
  const { welcome, newLink } = useOverviewTexts();
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
              {welcome.start}
            </LinkButton>
            <LinkButton to="/payments/new">{newLink}</LinkButton>
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
      <div class={isOutdated ? 'board-main board-outdated' : 'board-main'} aria-busy={isOutdated}>
        <OverviewFigures overview={overview} days={days} />
        <Latest payments={payments} />
      </div>
    </div>
  );
}

/** The first screen. */
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
      title={texts.title}
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
                  {texts.newLink}
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
