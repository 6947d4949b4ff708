// Where the account is signed in, and how to end that elsewhere. The session of this page ends by signing out.

import { useState } from 'preact/hooks';
import { useAct, useList } from '../../api/ask.ts';
import type { Answer } from '../../api/call.ts';
import { formatMoment } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, Listed } from '../../parts/table.tsx';
import { useTell } from '../../parts/toasts.tsx';
import { Badge, Moment } from '../../parts/values.tsx';
import { useExplain } from '../../texts/problems.ts';
import { useAccountTexts } from './texts.ts';

type SessionEntry = Answer<'listSessions'>['data'][number];

function EndButton({ entry }: { entry: SessionEntry }) {
  const texts = useAccountTexts();
  const { language } = useLanguage();
  const tell = useTell();
  const explain = useExplain();
  const end = useAct('endSession', {
    refreshes: ['listSessions'],
    onDone: () => tell(texts.sessionEnded),
  });
  if (entry.isCurrent) return <Badge tone="good">{texts.thisOne}</Badge>;
  const { sessionId, createdAt } = entry;
  const act = () =>
    end.mutate({ path: { sessionId } }, { onError: (fault) => tell(explain(fault).sentence) });
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
  const tell = useTell();
  const end = useAct('endOtherSessions', {
    refreshes: ['listSessions'],
    onDone: () => {
      tell(texts.othersEnded);
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

/** The sessions that are good. */
export function SessionsSection() {
  const texts = useAccountTexts();
  const [isEnding, setIsEnding] = useState(false);
  const list = useList('listSessions', {});
  const columns = useSessionColumns();
  const hasOthers = list.entries.some(({ isCurrent }) => !isCurrent);
  return (
    <Section
      title={texts.sessions}
      hint={texts.sessionsHint}
      actions={hasOthers && <Button onClick={() => setIsEnding(true)}>{texts.endOthers}</Button>}
    >
      <Listed
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
