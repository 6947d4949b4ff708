// The audit log: everything that happened in the company, newest first, with who did it. It is read-only.

import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiList, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { formatUtc } from '../../base/format.ts';
import { useUrlState } from '../../base/url-state.ts';
import { Button } from '../../parts/button.tsx';
import { CheckField, type Choice, DayRange, SelectField } from '../../parts/field.tsx';
import { EmptyState, Facts, Page, Section } from '../../parts/page.tsx';
import { type Column, PagedTable, useNamedColumns } from '../../parts/table.tsx';
import { Moment, PaymentLink } from '../../parts/values.tsx';
import { useAuditEventTexts } from '../../texts/audit-events.ts';
import { useCommonTexts } from '../../texts/common.ts';
import { useActor } from '../../texts/events.ts';
import { kindFilters, peopleFilters } from './choices.ts';
import { type AuditFilters, isFiltering, noFilters, queryOf, readFilters } from './query.ts';
import { useAuditTexts } from './texts.ts';
import './audit.css';

type AuditEntry = OperationResponse<'listAuditEvents'>['data'][number];

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What an entry is about: a payment, an endpoint, or something with a name. */
function About({ entry: { paymentLinkCode: code, data } }: { entry: AuditEntry }) {
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

/** The data may come from anybody, customers included, and is shown as text. */
function Details({ entry }: { entry: AuditEntry }) {
  const texts = useAuditTexts();
  const { eventId, type, createdAt, actor, attemptId, refundId, data } = entry;
  const mono = (text: string | null) => text && <span class="mono">{text}</span>;
  const ids = [
    [texts.actor, mono(actor)],
    [texts.eventId, mono(eventId)],
    [texts.attempt, mono(attemptId)],
    [texts.refund, mono(refundId)],
  ] as const;
  const values = Object.entries(data).map(
    ([name, value]) =>
      [
        mono(name),
        <bdi key={name} class="audit-value">
          {textOf(value)}
        </bdi>,
      ] as const,
  );
  return (
    <details class="audit-details">
      <summary>
        {texts.details} · {mono(type)}
      </summary>
      <Facts
        class="small"
        items={[[texts.exact, formatUtc(createdAt)], ...ids.filter(([, value]) => value), ...values]}
      />
    </details>
  );
}

function choicesOf<Name extends string>(
  filters: Readonly<Record<Name, string>>,
  names: Readonly<Record<Name, string>>,
): Choice[] {
  return (Object.keys(filters) as Name[]).map((name) => ({ value: filters[name], label: names[name] }));
}

/** Adds a value from the URL that is none of the usual ones, so that it stays chosen. */
const withValue = (choices: Choice[], value: string): Choice[] =>
  choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: value }];

/** Kinds of actors, and the members of the team with the right to see them. */
function usePeopleChoices(): Choice[] {
  const { may } = useSession();
  const texts = useAuditTexts();
  const members = useApiQuery('listMembers', { query: { limit: '100' } }, { isEnabled: may('members:read') });
  const people = (members.data?.data ?? []).map(({ accountId, email }) => ({
    value: `account:${accountId}`,
    label: email,
  }));
  return [...choicesOf(peopleFilters, texts.people), ...people];
}

function Filters({ filters }: { filters: AuditFilters }) {
  const texts = useAuditTexts();
  const [, change] = useUrlState();
  const { type, actor, about, payment, from, to } = filters;
  return (
    <div class="filters">
      <SelectField
        label={texts.event}
        value={type}
        choices={withValue(choicesOf(kindFilters, texts.kinds), type)}
        onInput={(next) => change({ type: next })}
      />
      <SelectField
        label={texts.actor}
        value={actor}
        choices={withValue(usePeopleChoices(), actor)}
        onInput={(next) => change({ actor: next })}
      />
      <DayRange {...{ from, to }} onInput={change} />
      <div class="filter-check">
        {payment === '' ? (
          <CheckField
            label={texts.companyOnly}
            value={about === 'company'}
            onInput={(isOn) => change({ about: isOn ? 'company' : '' })}
          />
        ) : (
          <span>
            {texts.payment} <span class="mono">{payment}</span>
          </span>
        )}
      </div>
      {isFiltering(filters) && <Button onClick={() => change(noFilters)}>{texts.clear}</Button>}
    </div>
  );
}

function useColumns(): Column<AuditEntry>[] {
  const texts = useAuditTexts();
  const eventText = useAuditEventTexts();
  const actorText = useActor();
  return useNamedColumns(texts, {
    date: ({ createdAt }) => <Moment at={createdAt} isExact />,
    event: (entry) => (
      <div class="stacked">
        <span>{eventText(entry.type)}</span>
        <Details entry={entry} />
      </div>
    ),
    actor: (entry) => <bdi class="clamp">{actorText(entry)}</bdi>,
    about: (entry) => <About entry={entry} />,
  });
}

export default function Audit() {
  const texts = useAuditTexts();
  const [values] = useUrlState();
  const filters = readFilters(values);
  const list = useApiList('listAuditEvents', { query: queryOf(filters) }, { keepsPrevious: true });
  const isFiltered = isFiltering(filters);
  return (
    <Page title={texts.screens.audit}>
      <Section hint={texts.hint}>
        <Filters filters={filters} />
        {list.isSuccess && list.entries.length === 0 && list.hasNextPage && (
          <p role="status">{texts.noneYet}</p>
        )}
        <div class="audit" aria-busy={list.isPlaceholderData}>
          <PagedTable
            caption={texts.screens.audit}
            columns={useColumns()}
            keyOf={({ eventId }) => eventId}
            list={list}
            empty={
              isFiltered ? <EmptyState title={texts.emptyFiltered} hint={texts.emptyHint} /> : texts.empty
            }
          />
        </div>
      </Section>
    </Page>
  );
}
