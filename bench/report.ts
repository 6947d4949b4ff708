// The results of a run as data and as a table: the rounds with their baselines, the medians of their ratios,
// and the budget. Must not: combine a figure of one round with a baseline of another.

import { availableParallelism, totalmem } from 'node:os';
import type { Baselines } from './baselines.ts';
import type { BudgetResult, MeasuredFigures } from './budget.ts';
import type { DashboardSpeed } from './dashboard.ts';
import { median, ratio } from './figures.ts';
import { type FirstSeconds, firstSeconds, type Pace } from './first-seconds.ts';
import type { WebhookFloodResult } from './forged-webhooks.ts';
import type { JourneyThroughput } from './journey.ts';
import type { LoginFloodResult } from './login-flood.ts';
import type { Measurement } from './measure.ts';
import type { PageWeight } from './page-weight.ts';
import type { StartMeasurements } from './start.ts';
import type { WebhookThroughput } from './webhooks.ts';
import type { SlowestBody } from './worst-bodies.ts';

/** One pass over the scenarios, between two measurements of the baselines. */
export type BenchRound = {
  size: number;
  before: Baselines;
  after: Baselines;
  yardsticks: Baselines;
  readings: Readonly<Record<string, Measurement>>;
  journey: JourneyThroughput | null;
  webhooks: WebhookThroughput | null;
};

export type BenchResults = {
  rounds: readonly BenchRound[];
  fresh: FirstSeconds | null;
  page: PageWeight | null;
  slowestBody: SlowestBody | null;
  starts: StartMeasurements | null;
  dashboard: DashboardSpeed | null;
  webhookFlood: WebhookFloodResult | null;
  loginFlood: LoginFloodResult | null;
};

export type Machine = { cores: number; memoryGb: number; node: string; postgres: string };

export function describeMachine(postgres: string): Machine {
  return {
    cores: availableParallelism(),
    memoryGb: totalmem() / 1e9,
    node: process.versions.node,
    postgres,
  };
}

function medianOf(figures: readonly (number | undefined)[]): number | undefined {
  const measured = figures.filter((figure) => figure !== undefined);
  return measured.length === 0 ? undefined : median(measured);
}

const smallestOf = (rounds: readonly BenchRound[]) => Math.min(...rounds.map(({ size }) => size));
const largestOf = (rounds: readonly BenchRound[]) => Math.max(...rounds.map(({ size }) => size));

/**
 * The throughput of a scenario at the largest table relative to the smallest. The machine's speed may differ
 * between rounds, so each figure is divided by the echo of its own round.
 */
function growthOf(rounds: readonly BenchRound[], name: string): number | undefined {
  const [small, large] = [smallestOf(rounds), largestOf(rounds)];
  if (small === large) return undefined;
  const at = (size: number) =>
    medianOf(
      rounds
        .filter((round) => round.size === size)
        .map(({ readings, yardsticks }) => ratio(readings[name]?.perSecond, yardsticks.echoPerSecond)),
    );
  return ratio(at(large), at(small));
}

/** Every figure with a bound: the median over the rounds of each round's own ratio. */
export function figuresOf(findings: BenchResults): MeasuredFigures {
  const { rounds, fresh, page, slowestBody, starts, dashboard, webhookFlood, loginFlood } = findings;
  const first = rounds.filter(({ size }) => size === smallestOf(rounds));
  const each = (of: (round: BenchRound) => number | undefined) => medianOf(first.map(of));
  return {
    create: each(({ readings, yardsticks }) =>
      ratio(readings['create-64']?.perSecond, yardsticks.insertPerSecond),
    ),
    'first-create-insert': ratio(fresh?.create.firstPerSecond, fresh?.insertPerSecond),
    'create-p99': each(({ readings, yardsticks }) =>
      ratio(readings['create-64']?.p99Ms, yardsticks.insertMeanMs),
    ),
    page: each(({ readings, yardsticks }) => ratio(readings.page?.perSecond, yardsticks.echoPerSecond)),
    pay: each(({ readings }) => ratio(readings.pay?.perSecond, readings['create-64']?.perSecond)),
    'pay-insert': each(({ readings, yardsticks }) =>
      ratio(readings.pay?.perSecond, yardsticks.insertPerSecond),
    ),
    'pay-finished': each(({ readings, yardsticks }) =>
      ratio(readings.pay?.finishedPerSecond ?? undefined, yardsticks.insertPerSecond),
    ),
    journey: each(({ journey, yardsticks }) => ratio(journey?.perSecond, yardsticks.insertPerSecond)),
    'wal-kb': each(({ journey }) => journey?.walKbPerPayment),
    'first-create': ratio(fresh?.create.firstPerSecond, fresh?.create.laterPerSecond),
    'first-pay': ratio(fresh?.pay.firstPerSecond, fresh?.pay.laterPerSecond),
    'create-growth': growthOf(rounds, 'create-64'),
    'list-growth': growthOf(rounds, 'list'),
    'search-growth': growthOf(rounds, 'search'),
    'page-kb': page?.kb,
    'page-requests': page?.requests,
    'worst-body': slowestBody?.ms,
    webhooks: each(({ readings, webhooks }) => ratio(webhooks?.perSecond, readings['create-64']?.perSecond)),
    'forged-webhooks': ratio(webhookFlood?.beside.p50Ms, webhookFlood?.alone.p50Ms),
    'login-flood': ratio(loginFlood?.floodP99Ms, loginFlood?.quietP99Ms),
    'later-start': starts?.laterSeconds,
    'first-screen': dashboard?.firstScreenMs,
    'search-key': dashboard?.keyMs,
    'script-kb': dashboard?.scriptKb,
    memory: each(({ readings }) => readings['create-64']?.serviceMb),
  };
}

/** Formats a number for a table: large ones as integers, small ones with three significant digits. */
export function show(figure: number | null | undefined): string {
  if (figure === null || figure === undefined) return '–';
  if (Math.abs(figure) >= 100) return Math.round(figure).toLocaleString('en');
  return String(Number(figure.toPrecision(3)));
}

/** Formats rows of texts, the first column to the left and the others to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [line(head), rule, ...rows.map(line)].join('\n');
}

const columns: readonly [head: string, of: (reading: Measurement) => number | null][] = [
  ['per s', (reading) => reading.perSecond],
  ['finished', (reading) => reading.finishedPerSecond],
  ['p50 ms', (reading) => reading.p50Ms],
  ['p99 ms', (reading) => reading.p99Ms],
  ['service CPU s', (reading) => reading.serviceCpuSeconds],
  ['MB', (reading) => reading.serviceMb],
  ['PostgreSQL CPU s', (reading) => reading.postgresCpuSeconds],
  ['MB', (reading) => reading.postgresMb],
  ['rows', (reading) => reading.rowsPerPayment],
  ['WAL bytes', (reading) => reading.walBytesPerPayment],
];

function formatScenarios(rounds: readonly BenchRound[]): string {
  const sizes = [...new Set(rounds.map(({ size }) => size))];
  const rows = sizes.flatMap((size) => {
    const same = rounds.filter((round) => round.size === size);
    return Object.keys(same[0]?.readings ?? {}).map((name) => {
      const readings = same.flatMap(({ readings }) => readings[name] ?? []);
      const cells = columns.map(([, of]) => medianOf(readings.map((reading) => of(reading) ?? undefined)));
      const perSecond = same.map(({ readings, yardsticks }) =>
        ratio(readings[name]?.perSecond, yardsticks.insertPerSecond),
      );
      return [name, size.toLocaleString('en'), ...cells.map(show), show(medianOf(perSecond))];
    });
  });
  return formatTable(['scenario', 'payments', ...columns.map(([head]) => head), '÷ insert'], rows);
}

function formatBaselines(rounds: readonly BenchRound[]): string {
  const names: readonly [title: string, name: keyof Baselines][] = [
    ['pgbench insert, 64 clients, per s', 'insertPerSecond'],
    ['  its mean latency, ms', 'insertMeanMs'],
    ['  the same with the indexes of payments', 'indexedInsertPerSecond'],
    ['node:http echo, 64 connections, per s', 'echoPerSecond'],
  ];
  const rows = names.map(([title, name]) => [
    title,
    show(median(rounds.map(({ before }) => before[name]))),
    show(median(rounds.map(({ after }) => after[name]))),
  ]);
  return formatTable(['yardstick', 'before', 'after'], rows);
}

function drawDashboard(speed: DashboardSpeed): string[] {
  const { firstScreenMs, worstFirstScreenMs, emptyPageMs, keyMs, worstKeyMs } = speed;
  return [
    `dashboard with ${show(speed.payments)} payments: first screen ${show(firstScreenMs)} ms, worst ` +
      `${show(worstFirstScreenMs)}; its page without script ${show(emptyPageMs)} ms; ${show(speed.scriptKb)} kB of script`,
    `  a key press in the search to its rows: ${show(keyMs)} ms, worst ${show(worstKeyMs)}`,
  ];
}

function drawWebhookFlood({ perSecond, statuses, alone, beside }: WebhookFloodResult): string[] {
  const responses = Object.entries(statuses).map(([status, count]) => `${show(count)} × ${status}`);
  return [
    `paying alone: p50 ${show(alone.p50Ms)} ms, p99 ${show(alone.p99Ms)} ms; beside ${show(perSecond)} forged processor ` +
      `webhooks per s: p50 ${show(beside.p50Ms)} ms, p99 ${show(beside.p99Ms)} ms`,
    `  answers to the forged ones: ${responses.join(', ')}`,
  ];
}

function drawLoginFlood({ quietP99Ms, floodP99Ms, checked, refused }: LoginFloodResult): string {
  return (
    `login flood: pay p99 ${show(quietP99Ms)} ms without it, ${show(floodP99Ms)} ms beside it; ` +
    `${show(checked)} wrong logins checked, ${show(refused)} refused`
  );
}

function drawFresh({ create, pay, insertPerSecond }: FirstSeconds): string {
  const draw = ({ firstPerSecond, laterPerSecond }: Pace) =>
    `${show(firstPerSecond)} per s, later ${show(laterPerSecond)}`;
  return (
    `first ${firstSeconds} s on a fresh database: create ${draw(create)}; pay ${draw(pay)}; ` +
    `insert ${show(insertPerSecond)} per s`
  );
}

function formatOthers(findings: BenchResults): string[] {
  const { rounds, fresh, page, slowestBody, starts, dashboard, webhookFlood, loginFlood } = findings;
  const webhooks = rounds.flatMap((round) => round.webhooks ?? []);
  const perSecond = medianOf(webhooks.map((delivered) => delivered.perSecond));
  const journeys = rounds.flatMap((round) => round.journey ?? []);
  return [
    ...(journeys.length === 0
      ? []
      : [
          `create, view, pay, webhook delivered: ${show(medianOf(journeys.map((journey) => journey.perSecond)))} per s, ` +
            `${show(medianOf(journeys.map((journey) => journey.walKbPerPayment)))} kB of write-ahead log each; CPU ms each: ` +
            `service ${show(medianOf(journeys.map((journey) => journey.serviceCpuMs)))}, ` +
            `PostgreSQL ${show(medianOf(journeys.map((journey) => journey.postgresCpuMs)))}`,
        ]),
    ...(perSecond === undefined
      ? []
      : [`webhooks: ${show(perSecond)} delivered per s, to ${webhooks[0]?.endpoints} endpoints`]),
    ...(fresh ? [drawFresh(fresh)] : []),
    ...(page ? [`page: ${show(page.kb)} kB in ${page.requests} requests`] : []),
    ...(webhookFlood ? drawWebhookFlood(webhookFlood) : []),
    ...(loginFlood ? [drawLoginFlood(loginFlood)] : []),
    ...(slowestBody
      ? [
          `slowest of ${slowestBody.bodies} bodies: ${show(slowestBody.ms)} ms, ${slowestBody.path}, ${slowestBody.name}`,
        ]
      : []),
    ...(dashboard ? drawDashboard(dashboard) : []),
    ...(starts
      ? [
          `first start, embedded: ${show(starts.firstSeconds)} s to ready, ${show(starts.firstMb)} MB`,
          `later start, embedded: ${show(starts.laterSeconds)} s to ready, ${show(starts.laterMb)} MB`,
          `installed: ${show(starts.installedMb)} MB for npm start, ${show(starts.installedForAllMb)} MB with what tests need`,
        ]
      : []),
  ];
}

export function formatBudgetResults(verdicts: readonly BudgetResult[]): string {
  const rows = verdicts.map(({ what, atLeast, atMost, reached, verdict }) => [
    what,
    show(reached),
    atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`,
    verdict,
  ]);
  return formatTable(['budget', 'reached', 'bound', ''], rows);
}

export function formatReport(
  machine: Machine,
  findings: BenchResults,
  verdicts: readonly BudgetResult[],
): string {
  const { cores, memoryGb, node, postgres } = machine;
  const head = `${cores} cores shared by wrk, the service and PostgreSQL ${postgres}; ${show(memoryGb)} GB; Node ${node}`;
  const tables =
    findings.rounds.length === 0 ? [] : [formatBaselines(findings.rounds), formatScenarios(findings.rounds)];
  const parts = [head, ...tables, formatOthers(findings).join('\n'), formatBudgetResults(verdicts)];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}
