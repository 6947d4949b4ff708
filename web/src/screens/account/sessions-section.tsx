// The sessions of the account, and how to end others. Signing out ends the session of this page.

import { useState } from 'preact/hooks';
import type { OperationResponse } from '../../api/call.ts';
import { useApiList, useApiMutation } from '../../api/queries.ts';
import { formatMoment } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { Badge, Moment } from '../../parts/values.tsx';
import { useExplain } from '../../texts/problems.ts';
import { useAccountTexts } from './texts.ts';

type SessionEntry = OperationResponse<'listSessions'>['data'][number];

function EndButton({ entry }: { entry: SessionEntry }) {
  const texts = useAccountTexts();
  const { language } = useLanguage();
  const showToast = useShowToast();
  const explain = useExplain();
  const end = useApiMutation('endSession', {
    refreshes: ['listSessions'],
    onDone: () => showToast(texts.sessionEnded),
  });
  if (entry.isCurrent) return <Badge tone="good">{texts.thisOne}</Badge>;
  const { sessionId, createdAt } = entry;
  const act = () =>
    end.mutate({ path: { sessionId } }, { onError: (fault) => showToast(explain(fault).sentence) });
  return (
    <Button
      isSmall
      isWorking={end.isPending}
      aria-label={texts.endSessionOf(formatMoment(language, createdAt))}
      onClick={act}
    >
      {texts.endSession}
    </Button>
  );
}

function EndOthers({ onClose }: { onClose(): void }) {
  const texts = useAccountTexts();
  const showToast = useShowToast();
  const end = useApiMutation('endOtherSessions', {
    refreshes: ['listSessions'],
    onDone: () => {
      showToast(texts.othersEnded);
      onClose();
    },
  });
  return (
    <Confirm
      title={texts.endOthersTitle}
      act={texts.endOthers}
      isWorking={end.isPending}
      fault={end.error}
      onConfirm={() => end.mutate({})}
      onClose={onClose}
    >
      <p>{texts.endOthersHint}</p>
    </Confirm>
  );
}

function useSessionColumns(): Column<SessionEntry>[] {
  const texts = useAccountTexts();
  return [
    { id: 'kind', title: texts.kind, cell: ({ kind }) => texts.kinds[kind] },
    { id: 'signedIn', title: texts.signedIn, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { id: 'endsAt', title: texts.endsAt, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
    {
      id: 'actions',
      title: texts.actions,
      isTitleHidden: true,
      isNumber: true,
      cell: (entry) => <EndButton entry={entry} />,
    },
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
