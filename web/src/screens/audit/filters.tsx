// The filters of the audit log, all stored in the URL.

import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { useUrlState } from '../../base/url-state.ts';
import { Button } from '../../parts/button.tsx';
import { DayRange } from '../../parts/day-range.tsx';
import { CheckField, type Choice, SelectField } from '../../parts/field.tsx';
import { type AuditFilters, isFiltering, noFilters } from './query.ts';
import { useAuditTexts } from './texts.ts';

const choicesOf = (names: Readonly<Record<string, string>>): Choice[] =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

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
  return [...choicesOf(texts.people), ...people];
}

/** The fields. */
export function Filters({ filters }: { filters: AuditFilters }) {
  const texts = useAuditTexts();
  const [, change] = useUrlState();
  const { type, actor, about, payment, from, to } = filters;
  return (
    <div class="filters">
      <SelectField
        label={texts.kind}
        value={type}
        choices={withValue(choicesOf(texts.kinds), type)}
        onInput={(next) => change({ type: next })}
      />
      <SelectField
        label={texts.person}
        value={actor}
        choices={withValue(usePeopleChoices(), actor)}
        onInput={(next) => change({ actor: next })}
      />
      <DayRange {...{ from, to }} fromLabel={texts.from} toLabel={texts.to} onInput={change} />
      <div class="filter-check">
        {payment === '' ? (
          <CheckField
            label={texts.companyOnly}
            value={about === 'company'}
            onInput={(isOn) => change({ about: isOn ? 'company' : '' })}
          />
        ) : (
          <span>
            {texts.ofPayment} <span class="mono">{payment}</span>
          </span>
        )}
      </div>
      {isFiltering(filters) && <Button onClick={() => change(noFilters)}>{texts.clear}</Button>}
    </div>
  );
}
