// The audit log: everything that happened in the company, newest first, with who did it. It is read-only.

import { useApiList } from '../../api/queries.ts';
import { useUrlState } from '../../base/url-state.ts';
import { Page, Section } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { Moment } from '../../parts/values.tsx';
import { useAuditEventTexts } from '../../texts/audit-events.ts';
import { useActor } from '../../texts/events.ts';
import './audit.css';
import { About, type AuditEntry, Details } from './entry.tsx';
import { Filters } from './filters.tsx';
import { isFiltering, queryOf, readFilters } from './query.ts';
import { useAuditTexts } from './texts.ts';

function useColumns(): Column<AuditEntry>[] {
  const texts = useAuditTexts();
  const eventText = useAuditEventTexts();
  const actorText = useActor();
  return [
    { id: 'when', title: texts.when, cell: ({ createdAt }) => <Moment at={createdAt} isExact /> },
    {
      id: 'what',
      title: texts.what,
      cell: (entry) => (
        <div class="stacked">
          <span>{eventText(entry.type)}</span>
          <Details entry={entry} />
        </div>
      ),
    },
    {
      id: 'who',
      title: texts.who,
      cell: (entry) => <bdi class="clamp">{actorText(entry)}</bdi>,
    },
    { id: 'about', title: texts.about, cell: (entry) => <About entry={entry} /> },
  ];
}

/** The audit log. */
export default function Audit() {
  const texts = useAuditTexts();
  const [values] = useUrlState();
  const filters = readFilters(values);
  const list = useApiList('listAuditEvents', { query: queryOf(filters) }, { keepsPrevious: true });
  const isFiltered = isFiltering(filters);
  const columns = useColumns();
  return (
    <Page title={texts.title}>
      <Section hint={texts.hint}>
        <Filters filters={filters} />
        {list.isSuccess && list.entries.length === 0 && list.hasNextPage && (
          <p role="status">{texts.noneYet}</p>
        )}
        <div class="audit" aria-busy={list.isPlaceholderData}>
          <PagedTable
            caption={texts.title}
            columns={columns}
            keyOf={({ id }) => id}
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
