// `npm run bench`: starts a temporary PostgreSQL and the service on it, measures, prints, and on request
// reports the budget by its exit code. Must not: leave a process or a folder behind.

import { findBenchTools } from '../scripts/system-packages.mjs';
import { runScript, say } from '../scripts/toolchain.mjs';
import { meanBaselines, measureBaselines } from './baselines.ts';
import { type Cleanups, fillToSize, openEnvironment, runCleanups } from './bench-environment.ts';
import { checkBudget } from './budget.ts';
import { measureCells } from './cells.ts';
import { type DashboardSpeed, measureDashboard } from './dashboard.ts';
import { analyzeTables, queryOne } from './database.ts';
import { type FirstSeconds, measureFirstSeconds } from './first-seconds.ts';
import { measureForgedWebhooks } from './forged-webhooks.ts';
import { measureJourney } from './journey.ts';
import { measureLoginFlood } from './login-flood.ts';
import { type BenchEnvironment, createTarget, type Measurement, measureScenario } from './measure.ts';
import { measureOldRows } from './old-rows.ts';
import { type Options, readOptions } from './options.ts';
import { type PageWeight, weighPage } from './page-weight.ts';
import { simulatePlacements } from './place-companies.ts';
import {
  type BenchResults,
  type BenchRound,
  describeMachine,
  figuresOf,
  formatReport,
  type Machine,
} from './report.ts';
import { formatScale, type ScaleFindings } from './report-scale.ts';
import { scenarioNames, scenariosFor } from './scenarios.ts';
import { measureStarts } from './start.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureWorstBodies, type SlowestBody } from './worst-bodies.ts';

/** Measured in each round, besides the scenarios, with the smallest number of payments. */
const ofSmallest = ['journey', 'webhooks'] as const;

/** Measurements other than the scenarios. */
const others = [
  ...ofSmallest,
  'forged-webhooks',
  'login-flood',
  'page-weight',
  'worst-bodies',
  'dashboard',
  'start',
  'first-seconds',
] as const;

/** Measured only if they are named: they take long, and have databases of their own. */
const ofScale = ['old-rows', 'cells', 'place-companies'] as const;

const isOfScale = (name: string) => ofScale.some((each) => each === name);

/** Warms up a restarted service: then its code is compiled, its pool open and its statements prepared. */
const warmUp = { scenario: 'mixed', seconds: 10 } as const;

const isWanted = ({ only }: Options, name: string) => only === null || only.includes(name);

const isWantedAt = (options: Options, size: number, name: (typeof ofSmallest)[number]) =>
  size === options.sizes[0] && isWanted(options, name);

/**
 * Runs all selected measurements once, with a restarted service, between two measurements of the baselines.
 */
async function measureRound(
  stand: BenchEnvironment,
  options: Options,
  size: number,
  names: readonly string[],
): Promise<BenchRound> {
  const { seconds } = options;
  await stand.restart();
  await measureScenario(stand, warmUp.scenario, { seconds: warmUp.seconds });
  await analyzeTables(stand.bench);
  const before = await measureBaselines(stand.tools, stand.bench, seconds);
  const readings: Record<string, Measurement> = {};
  for (const name of names) {
    say(`  ${name}`);
    readings[name] = await measureScenario(stand, name, { seconds });
  }
  const journey = isWantedAt(options, size, 'journey') ? await measureJourney(stand, seconds) : null;
  const webhooks = isWantedAt(options, size, 'webhooks') ? await measureWebhooks(stand, seconds) : null;
  const after = await measureBaselines(stand.tools, stand.bench, seconds);
  return { size, before, after, yardsticks: meanBaselines(before, after), readings, journey, webhooks };
}

/** The selected scenarios for a size: at larger sizes only those whose growth is reported. */
async function namesAt(stand: BenchEnvironment, options: Options, size: number): Promise<string[]> {
  const scenarios = scenariosFor(await createTarget(stand));
  return scenarios
    .filter(({ name, isGrowing }) => isWanted(options, name) && (isGrowing || size === options.sizes[0]))
    .map(({ name }) => name);
}

async function measureRounds(stand: BenchEnvironment, options: Options): Promise<BenchRound[]> {
  const rounds: BenchRound[] = [];
  for (const size of options.sizes) {
    const names = await namesAt(stand, options, size);
    if (names.length === 0 && !ofSmallest.some((name) => isWantedAt(options, size, name))) continue;
    await fillToSize(stand, size);
    for (let round = 1; round <= options.repeat; round++) {
      say(`Round ${round} of ${options.repeat} with ${size.toLocaleString('en')} payments`);
      rounds.push(await measureRound(stand, options, size, names));
    }
  }
  return rounds;
}

async function measurePage(stand: BenchEnvironment, options: Options): Promise<PageWeight | null> {
  if (!isWanted(options, 'page-weight')) return null;
  return await weighPage(stand.service.url, `/pay/${stand.views[0]}`);
}

async function measureBodies(stand: BenchEnvironment, options: Options): Promise<SlowestBody | null> {
  if (!isWanted(options, 'worst-bodies')) return null;
  return await measureWorstBodies(stand.service.url, String(stand.views[0]));
}

async function measureScreens(
  stand: BenchEnvironment,
  chromium: string,
  options: Options,
): Promise<DashboardSpeed | null> {
  return isWanted(options, 'dashboard') ? await measureDashboard(stand, chromium) : null;
}

/** Runs first, in its own environment: all others need filled tables. */
async function measureFresh(
  options: Options,
  tools: ReturnType<typeof findBenchTools>,
): Promise<FirstSeconds | null> {
  if (!isWanted(options, 'first-seconds')) return null;
  const ends: Cleanups = [];
  try {
    return await measureFirstSeconds(await openEnvironment(0, tools, ends));
  } finally {
    await runCleanups(ends);
  }
}

async function measureAll(
  options: Options,
  tools: ReturnType<typeof findBenchTools>,
): Promise<{ machine: Machine; findings: BenchResults }> {
  const fresh = await measureFresh(options, tools);
  const ends: Cleanups = [];
  try {
    const stand = await openEnvironment(options.sizes[0] ?? 0, tools, ends);
    const setting = `select current_setting('server_version') as version`;
    const { version } = await queryOne<{ version: string }>(stand.bench, setting);
    const page = await measurePage(stand, options);
    const slowestBody = await measureBodies(stand, options);
    const rounds = await measureRounds(stand, options);
    const isFlooded = isWanted(options, 'forged-webhooks');
    const webhookFlood = isFlooded ? await measureForgedWebhooks(stand, options.seconds) : null;
    const loginFlood = isWanted(options, 'login-flood')
      ? await measureLoginFlood(stand, options.seconds)
      : null;
    const dashboard = await measureScreens(stand, tools.chromium, options);
    await stand.service.stop();
    const starts = isWanted(options, 'start') ? await measureStarts(stand.tools.folder) : null;
    const findings = { rounds, fresh, page, slowestBody, starts, dashboard, webhookFlood, loginFlood };
    return { machine: describeMachine(version), findings };
  } finally {
    await runCleanups(ends);
  }
}

async function measureScale(
  { only, sizes, seconds, repeat }: Options,
  tools: ReturnType<typeof findBenchTools>,
): Promise<ScaleFindings> {
  const isNamed = (name: (typeof ofScale)[number]) => only?.includes(name) ?? false;
  return {
    placements: isNamed('place-companies') ? simulatePlacements() : null,
    cells: isNamed('cells') ? await measureCells(tools, { seconds, repeat }) : null,
    oldRows: isNamed('old-rows') ? await measureOldRows(tools.postgresBin, sizes) : null,
  };
}

await runScript(async () => {
  const options = readOptions(process.argv.slice(2), [...scenarioNames, ...others, ...ofScale]);
  const tools = findBenchTools({ needsBrowser: isWanted(options, 'dashboard') });
  if (options.only?.some(isOfScale)) {
    const findings = await measureScale(options, tools);
    if (!options.only.every(isOfScale))
      say(`Only ${ofScale.join(', ')} were measured: the others need a run of their own.`);
    process.stdout.write(options.isJson ? `${JSON.stringify(findings, null, 2)}\n` : formatScale(findings));
    return 0;
  }
  const { machine, findings } = await measureAll(options, tools);
  const verdicts = checkBudget(figuresOf(findings));
  const written = { at: new Date().toISOString(), machine, options, ...findings, verdicts };
  process.stdout.write(
    options.isJson ? `${JSON.stringify(written, null, 2)}\n` : formatReport(machine, findings, verdicts),
  );
  if (!options.isCheck) return 0;
  const short = verdicts.filter(({ verdict }) => verdict === 'short');
  for (const { what, reached } of short) say(`Falls short: ${what}: ${reached}`);
  if (verdicts.every(({ verdict }) => verdict === 'not measured')) say('Nothing of the budget was measured.');
  return short.length > 0 || verdicts.every(({ verdict }) => verdict === 'not measured') ? 1 : 0;
});
