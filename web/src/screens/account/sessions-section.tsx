// The sessions of the account, and how to end others. Signing out ends the session of this page.

import { useState } from 'preact/hooks';
import type { OperationResponse } from '../../api/call.ts';
import { useApiList } from '../../api/queries.ts';
import { formatMoment } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { useAction, useShowFault } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, PagedTable, useActionsColumn } from '../../parts/table.tsx';
import { Badge, Moment } from '../../parts/values.tsx';
import { useAccountTexts } from './texts.ts';

type SessionEntry = OperationResponse<'listSessions'>['data'][number];

function EndButton({ entry }: { entry: SessionEntry }) {
  const texts = useAccountTexts();
  const { language } = useLanguage();
  const showFault = useShowFault();
  const end = useAction('endSession', texts.sessionEnded, { invalidates: ['listSessions'] });
  if (entry.isCurrent) return <Badge tone="good">{texts.thisOne}</Badge>;
  const { sessionId, createdAt } = entry;
  return (
    <Button
      isSmall
      isWorking={end.isPending}
      aria-label={texts.endSessionOf(formatMoment(language, createdAt))}
      onClick={() => end.mutate({ path: { sessionId } }, { onError: showFault })}
    >
      {texts.endSession}
    </Button>
  );
}

function EndOthers({ onClose }: { onClose(): void }) {
  const texts = useAccountTexts();
  const end = useAction('endOtherSessions', texts.othersEnded, { invalidates: ['listSessions'], onClose });
  return (
    <FormDialog
      title={texts.endOthersTitle}
      action={texts.endOthers}
      weight="bad"
      request={end}
      onSubmit={() => end.mutate({})}
      onClose={onClose}
    >
      <p>{texts.endOthersHint}</p>
    </FormDialog>
  );
}

function useSessionColumns(): Column<SessionEntry>[] {
  const texts = useAccountTexts();
  return [
    { id: 'kind', title: texts.kind, cell: ({ kind }) => texts.kinds[kind] },
    { id: 'signedIn', title: texts.signedIn, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { id: 'endsAt', title: texts.endsAt, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
    useActionsColumn((entry) => <EndButton entry={entry} />),
  ];
}

/** The valid sessions. */
export function SessionsSection() {
  const texts = useAccountTexts();
  const [isEnding, setIsEnding] = useState(false);
  const list = useApiList('listSessions', {});
  const columns = useSessionColumns();
  const hasOthers = list.entries.some(({ isCurrent }) => !isCurrent);
  return (
    <Section
      title={texts.sessions}
      hint={texts.sessionsHint}
      actions={hasOthers && <Button onClick={() => setIsEnding(true)}>{texts.endOthers}</Button>}
    >
      <PagedTable
        list={list}
        caption={texts.sessions}
        columns={columns}
        keyOf={({ sessionId }) => sessionId}
        empty={texts.noSessions}
      />
      {isEnding && <EndOthers onClose={() => setIsEnding(false)} />}
    </Section>
  );
}
