// The request log: the calls of the API of the last days, newest first, by filters, or one by its ID.

import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiList, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { useUrlState } from '../../base/url-state.ts';
import { Button } from '../../parts/button.tsx';
import { type Choice, DayRange, SelectField, TextField } from '../../parts/field.tsx';
import { EmptyState, Page, Section } from '../../parts/page.tsx';
import { type Column, PagedTable, useNamedColumns } from '../../parts/table.tsx';
import { Moment } from '../../parts/values.tsx';
import {
  isFiltering,
  methods,
  noFilters,
  pathOfRequest,
  queryOf,
  type RequestFilters,
  readFilters,
  statusFilters,
} from './query.ts';
import { RequestDuration, StatusBadge } from './request-values.tsx';
import { useRequestTexts } from './texts.ts';
import './requests.css';

type ApiRequest = OperationResponse<'listRequests'>['data'][number];

/** The keys of the company with the right to see them, and the one in the URL. */
function useKeyChoices(chosen: string): Choice[] {
  const { may } = useSession();
  const texts = useRequestTexts();
  const keys = useApiQuery('listApiKeys', { query: { limit: '100' } }, { isEnabled: may('keys:read') });
  const known = (keys.data?.data ?? []).map(({ keyId, name }) => ({
    value: keyId,
    label: name ? `${name} (${keyId})` : keyId,
  }));
  const isKnown = chosen === '' || known.some(({ value }) => value === chosen);
  return [{ value: '', label: texts.keys }, ...known, ...(isKnown ? [] : [{ value: chosen, label: chosen }])];
}

function Filters({ filters }: { filters: RequestFilters }) {
  const texts = useRequestTexts();
  const [, change] = useUrlState();
  const { status, method, path, key, from, to } = filters;
  const [typedPath, setTypedPath] = useState(path);
  const clear = () => {
    setTypedPath('');
    change(noFilters);
  };
  const names = Object.keys(statusFilters) as (keyof typeof statusFilters)[];
  const statuses: Choice[] = names.map((name) => ({
    value: statusFilters[name],
    label: texts.statuses[name],
  }));
  const isOwn = statuses.every(({ value }) => value !== status);
  return (
    <div class="filters">
      <SelectField
        label={texts.status}
        value={status}
        choices={isOwn ? [...statuses, { value: status, label: status }] : statuses}
        onInput={(next) => change({ status: next })}
      />
      <SelectField
        label={texts.method}
        value={method}
        choices={[
          { value: '', label: texts.methods },
          ...methods.map((name) => ({ value: name, label: name })),
        ]}
        onInput={(next) => change({ method: next })}
      />
      <TextField
        label={texts.path}
        value={typedPath}
        maxLength={200}
        onInput={(next) => {
          setTypedPath(next);
          change({ path: next });
        }}
      />
      <SelectField
        label={texts.apiKey}
        value={key}
        choices={useKeyChoices(key)}
        onInput={(next) => change({ key: next })}
      />
      <DayRange {...{ from, to }} onInput={change} />
      {isFiltering(filters) && <Button onClick={clear}>{texts.clear}</Button>}
    </div>
  );
}

/** Opens the request with an ID, such as that of an error. */
function FindRequest() {
  const texts = useRequestTexts();
  const [, navigate] = useLocation();
  const [id, setId] = useState('');
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        if (id.trim() !== '') navigate(pathOfRequest(id));
      }}
    >
      <TextField label={texts.find} value={id} maxLength={128} onInput={setId} />
      <Button type="submit">{texts.show}</Button>
    </form>
  );
}

function useColumns(): Column<ApiRequest>[] {
  const texts = useRequestTexts();
  return useNamedColumns(texts, {
    time: ({ createdAt }) => <Moment at={createdAt} isExact />,
    request: ({ requestId, method, path, query }) => (
      <Link href={pathOfRequest(requestId)} class="request-line">
        <bdi class="mono">
          {method} {path}
          {query === null ? '' : `?${query}`}
        </bdi>
      </Link>
    ),
    status: ({ status, errorCode }) => <StatusBadge {...{ status, errorCode }} />,
    duration: ({ durationMs }) => <RequestDuration ms={durationMs} />,
    apiKey: ({ keyId }) =>
      keyId === null ? <span class="quiet">{texts.dashboard}</span> : <bdi class="mono">{keyId}</bdi>,
  });
}

export default function Requests() {
  const texts = useRequestTexts();
  const [values] = useUrlState();
  const filters = readFilters(values);
  const list = useApiList('listRequests', { query: queryOf(filters) }, { keepsPrevious: true });
  const empty = isFiltering(filters)
    ? { title: texts.emptyFiltered, hint: texts.otherFilters }
    : { title: texts.empty, hint: texts.emptyHint };
  return (
    <Page title={texts.screens.requests}>
      <Section hint={texts.hint}>
        <FindRequest />
        <Filters filters={filters} />
        {list.isSuccess && list.entries.length === 0 && list.hasNextPage && (
          <p role="status">{texts.noneYet}</p>
        )}
        <div class="requests" aria-busy={list.isPlaceholderData}>
          <PagedTable
            caption={texts.screens.requests}
            columns={useColumns()}
            keyOf={({ requestId, createdAt }) => `${requestId} ${createdAt}`}
            list={list}
            empty={<EmptyState {...empty} />}
          />
        </div>
      </Section>
    </Page>
  );
}
