// The page of the operator of the service: what needs a person, and the figures of all companies together. Must not: name
// a company.

import type { OperationResponse } from '../../api/call.ts';
import { useApiQuery } from '../../api/queries.ts';
import { formatCount, formatDuration } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { EmptyState, Facts, FailedState, Page, QueryContent, Section } from '../../parts/page.tsx';
import { type Column, Table, useNamedColumns } from '../../parts/table.tsx';
import { Badge, ModeBadge, Moment, type Tone } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useOperationTexts } from './texts.ts';

type Status = OperationResponse<'getOperatorStatus'>;
type Problem = Status['problems'][number];
type Work = Status['work'][number];
type Connections = Status['connections'][number];
type Job = Status['jobs'][number];

const refetchIntervalMs = 10_000;

/** A duration; nothing if it is not known. */
function Duration({ seconds }: { seconds: number | null }) {
  const { language } = useLanguage();
  const { none } = useCommonTexts();
  return <span class="nowrap">{seconds === null ? none : formatDuration(language, seconds)}</span>;
}

function ProblemNotice({ problem }: { problem: Problem }) {
  const { language } = useLanguage();
  const texts = useOperationTexts();
  const { found, action } = texts.problems[problem.code];
  const { count, seconds, names } = problem;
  const facts = [
    ...(problem.code === 'unsealed_events' ? [] : [formatCount(language, count)]),
    ...(seconds === null ? [] : [texts.oldestFor({ time: formatDuration(language, seconds) })]),
  ];
  return (
    <li class="notice notice-bad">
      <p>
        <strong>{found}:</strong> {facts.join(', ')}
      </p>
      {names.length > 0 && <p class="mono small">{names.join(', ')}</p>}
      <p>{action}</p>
    </li>
  );
}

function Verdict({ problems }: { problems: readonly Problem[] }) {
  const texts = useOperationTexts();
  return (
    <Section title={texts.verdict}>
      {problems.length === 0 ? (
        <p class="notice notice-good">{texts.allWell}</p>
      ) : (
        <ul class="stack">
          {problems.map((problem) => (
            <ProblemNotice key={problem.code} problem={problem} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Figures({ status }: { status: Status }) {
  const { language } = useLanguage();
  const texts = useOperationTexts();
  const common = useCommonTexts();
  const cases = status.openCases.filter(({ count }) => count > 0);
  return (
    <Section title={texts.figures}>
      <Facts
        items={[
          ...status.unknownAttempts.map(
            ({ mode, count, oldestSeconds }) =>
              [
                texts.unknown({ mode: common[mode] }),
                oldestSeconds === null
                  ? formatCount(language, count)
                  : `${formatCount(language, count)}, ${texts.oldestFor({ time: formatDuration(language, oldestSeconds) })}`,
              ] as const,
          ),
          [texts.failingEndpoints, formatCount(language, status.failingEndpoints)],
          [
            texts.cases,
            cases.map(({ kind, count }) => texts.caseKinds[kind]({ count })).join(', ') ||
              formatCount(language, 0),
          ],
          [texts.unsealed, <Duration key="unsealed" seconds={status.oldestUnsealedSeconds} />],
        ]}
      />
    </Section>
  );
}

function WorkTable({ work }: { work: readonly Work[] }) {
  const { language } = useLanguage();
  const texts = useOperationTexts();
  const columns: Column<Work>[] = useNamedColumns(texts, {
    kind: ({ kind }) => <span class="mono">{kind}</span>,
    oldest: ({ oldestDueSeconds }) => <Duration seconds={oldestDueSeconds} />,
    due: ({ due }) => formatCount(language, due),
    dead: ({ dead }) => formatCount(language, dead),
  });
  return (
    <Section title={texts.work} hint={texts.workHint}>
      <Table caption={texts.work} columns={columns} rows={work} keyOf={({ kind }) => kind} />
    </Section>
  );
}

const tones: Readonly<Record<Connections['health'], Tone>> = {
  healthy: 'good',
  failing: 'bad',
  off: 'quiet',
};

function ConnectionTable({ connections }: { connections: readonly Connections[] }) {
  const { language } = useLanguage();
  const texts = useOperationTexts();
  const columns: Column<Connections>[] = useNamedColumns(texts, {
    processor: ({ processor }) => <bdi>{processor}</bdi>,
    mode: ({ mode }) => <ModeBadge mode={mode} />,
    health: ({ health }) => <Badge tone={tones[health]}>{texts.healths[health]}</Badge>,
    count: ({ count }) => formatCount(language, count),
  });
  return (
    <Section title={texts.connections}>
      {connections.length === 0 ? (
        <EmptyState title={texts.noConnections} hint={texts.noConnectionsHint} />
      ) : (
        <Table
          caption={texts.connections}
          columns={columns}
          rows={connections}
          keyOf={({ processor, mode, health }) => `${processor} ${mode} ${health}`}
        />
      )}
    </Section>
  );
}

function JobTable({ jobs }: { jobs: readonly Job[] }) {
  const { language } = useLanguage();
  const texts = useOperationTexts();
  const { none } = useCommonTexts();
  const columns: Column<Job>[] = useNamedColumns(texts, {
    job: ({ name }) => <span class="mono">{name}</span>,
    every: ({ intervalSeconds }) => <Duration seconds={intervalSeconds} />,
    lastSuccess: ({ lastSuccessAt }) =>
      lastSuccessAt === null ? (
        <span class="quiet">{texts.notRecorded}</span>
      ) : (
        <Moment at={lastSuccessAt} isExact />
      ),
    next: ({ dueAt }) => (dueAt === null ? none : <Moment at={dueAt} />),
    failures: ({ failures }) => formatCount(language, failures),
  });
  return (
    <Section title={texts.jobs}>
      <Table caption={texts.jobs} columns={columns} rows={jobs} keyOf={({ name }) => name} />
    </Section>
  );
}

export default function Operation() {
  const texts = useOperationTexts();
  const status = useApiQuery('getOperatorStatus', {}, { refetchIntervalMs });
  return (
    <Page title={texts.screens.operation}>
      <QueryContent result={status} rows={8}>
        {(answer) => (
          <>
            {/* The figures stay while a later query fails; their time says how old they are. */}
            {status.error && <FailedState fault={status.error} retry={() => void status.refetch()} />}
            <p class="quiet">
              {texts.intro} {texts.readAt.parts({ time: <Moment at={answer.at} isExact /> })}
            </p>
            <Verdict problems={answer.problems} />
            <Figures status={answer} />
            <WorkTable work={answer.work} />
            <ConnectionTable connections={answer.connections} />
            <JobTable jobs={answer.jobs} />
          </>
        )}
      </QueryContent>
    </Page>
  );
}
