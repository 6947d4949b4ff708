// Twelve companies on three cells under load: a cell is killed, companies are moved, a cell is added, all cells are
// migrated one by one, the processes are replaced. cells-under-load.long.ts and its campaign share this file.

import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { createCompany } from '../../src/create-company.ts';
import { migrate, migrationsDir } from '../../src/db/migrate.ts';
import { openPasswordPool } from '../../src/passwords/password-pool.ts';
import { createHome } from '../harness/cli.ts';
import { cheapPasswordCost, freePort, password } from '../harness/paylink.ts';
import { createProcessGroup, endOf, type ServiceProcess } from '../harness/process.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';
import { type Journal, type Load, startLoad } from './clients.ts';
import { awaitRest, findContradictions } from './oracle.ts';

export type LoadPlan = {
  companies: number;
  /** How long the load runs between two disturbances. */
  pauseMs: number;
  /** How long the killed cell is down. */
  downMs: number;
  /**
   * How many requests of a company may get 503 during its move. On a busy machine, the freeze may outlast the 4 s for which each of
   * the requests under way waits.
   */
  refusals: number;
};

type Company = { companyId: string; email: string };

type Stage = {
  rig: CellsRig;
  companies: Company[];
  /** The addresses of the processes that run. */
  urls(): string[];
  /** Replaces the processes, one after the other, by ones with the settings of now. */
  replace(): Promise<void>;
  command(...args: string[]): Promise<string>;
  close(): Promise<void>;
};

const limits = {
  RATE_LIMIT_PROCESS_PER_SECOND: '0',
  RATE_LIMIT_API_PER_SECOND: '0',
  RATE_LIMIT_LOGIN_PER_MINUTE: '0',
  RATE_LIMIT_REFUSALS_PER_MINUTE: '0',
  MAX_CONNECTIONS_PER_CLIENT: '0',
  WEBHOOKS_ALLOW_LOOPBACK: 'true',
  LOG_LEVEL: 'warn',
  DATABASE_POOL_SIZE: '6',
};

/** The same number in each cell: a random one may get none. */
async function createCompanies(rig: CellsRig, count: number): Promise<Company[]> {
  const db = await rig.openInstallation();
  const passwords = openPasswordPool(undefined, cheapPasswordCost);
  const companies: Company[] = [];
  while (companies.length < count) {
    const { name = '' } = rig.cells[companies.length % rig.cells.length] ?? {};
    await db.asOwner.query('update cells set weight = case when name = $1 then 100 else 0 end', [name]);
    const email = `owner-${companies.length}@example.com`;
    const made = await createCompany(
      { db, clock: systemClock, passwords },
      { name: `Shop ${companies.length}`, country: 'DE', email, password },
    );
    companies.push({ companyId: made.companyId, email });
  }
  await db.asOwner.query('update cells set weight = 100');
  await passwords.close();
  return companies;
}

async function openStage(plan: LoadPlan): Promise<Stage> {
  const rig = await openCellsRig({ eu1: 'one', eu2: 'two', eu3: 'three' });
  const group = createProcessGroup();
  rig.cleaner.add(group.clear);
  const home = await createHome();
  rig.cleaner.add(home.remove);
  const companies = await createCompanies(rig, plan.companies);
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const start = async () => {
    const settings = { ...rig.settings(), ...limits, BASE_URL: baseUrl };
    const run = await group.start({ through: 'server', settings });
    await run.ready();
    return run;
  };
  const runs: ServiceProcess[] = [await start(), await start()];
  return {
    ...{ rig, companies },
    urls: () => runs.map(({ port }) => `http://127.0.0.1:${port}`),
    replace: async () => {
      for (const place of [0, 1]) {
        const old = runs[place];
        runs[place] = await start();
        old?.kill('SIGTERM');
        if (old) assert.deepEqual(await endOf(old), { code: 0, signal: null });
      }
    },
    command: async (...args) => {
      const { code, out, err } = await home.run({ ...rig.settings(), DATA_DIR: home.folder }, ...args);
      assert.equal(code, 0, `paylink ${args.join(' ')}: ${out}${err}`);
      return out;
    },
    close: rig.close,
  };
}

const unansweredBetween = ({ unanswered }: Journal, from: number, to: number) =>
  unanswered.filter(({ at }) => at >= from && at <= to).map(({ what }) => what);

/** The companies of a cell, as it says itself. */
async function companiesOf(rig: CellsRig, cell: string): Promise<string[]> {
  const rows = await (await rig.openRaw(cell)).asOwner.query<{ id: string }>(
    "select company as id from company_homes where status = 'home'",
  );
  return rows.map(({ id }) => id);
}

/** Kills a cell and restarts it. Returns the faults: a company of another cell that got no answer, or made no purchase. */
async function killCell({ rig }: Stage, { buyers }: Load, { downMs }: LoadPlan): Promise<string[]> {
  const own = await companiesOf(rig, 'eu3');
  const { cluster } = rig.place('eu3');
  const others = buyers.filter(({ companyId }) => !own.includes(companyId));
  const before = new Map(others.map(({ companyId, journal }) => [companyId, journal.links.length]));
  const startedAt = performance.now();
  await cluster.crash();
  await sleep(downMs);
  const endedAt = performance.now();
  await cluster.restart();
  return others.flatMap(({ companyId, journal }) => {
    const refused = unansweredBetween(journal, startedAt, endedAt);
    const made = journal.links.length - (before.get(companyId) ?? 0);
    return [
      ...refused.map(
        (what) => `${companyId} is in another cell than the killed one, and got no answer: ${what}`,
      ),
      ...(made === 0
        ? [`${companyId} is in another cell than the killed one, and created no link meanwhile`]
        : []),
    ];
  });
}

/** Moves a company. Returns its requests that got no answer meanwhile, if they are too many. */
async function move(
  { command }: Stage,
  { buyers, refusals }: Load & Pick<LoadPlan, 'refusals'>,
  companyId: string,
  cell: string,
): Promise<string[]> {
  const startedAt = performance.now();
  await command('admin', 'cells', 'move', companyId, cell);
  const { journal } = buyers.find((buyer) => buyer.companyId === companyId) ?? {};
  const refused = journal ? unansweredBetween(journal, startedAt, performance.now()) : ['it is unknown'];
  if (refused.length <= refusals) return [];
  return refused.map((what) => `${companyId} got no answer while it was moved to ${cell}: ${what}`);
}

/** A migration that a next release may have, for the processes of this one. */
async function writeNextRelease(folder: string): Promise<string> {
  const dir = join(folder, 'migrations');
  await mkdir(dir);
  for (const name of await readdir(migrationsDir)) await copyFile(join(migrationsDir, name), join(dir, name));
  await writeFile(
    join(dir, '9000_next.sql'),
    'create table next_release (company_id text primary key); alter table payments add column next_release text;',
  );
  return dir;
}

async function migrateEach({ rig }: Stage, pauseMs: number): Promise<void> {
  const dir = await writeNextRelease(await rig.cleaner.folder());
  for (const { name } of rig.cells) {
    await migrate(await rig.openRaw(name), { dir, log: () => undefined });
    await sleep(pauseMs);
  }
}

async function disturb(t: TestContext, stage: Stage, load: Load, plan: LoadPlan): Promise<string[]> {
  const { rig } = stage;
  const allowed = { ...load, refusals: plan.refusals };
  const found: string[] = [];
  const phase = async (name: string, work: () => Promise<string[] | undefined>) => {
    const startedAt = performance.now();
    found.push(...((await work()) ?? []));
    const links = load.buyers.reduce((sum, { journal }) => sum + journal.links.length, 0);
    t.diagnostic(`${name}: ${Math.round(performance.now() - startedAt)} ms; ${links} links so far`);
    await sleep(plan.pauseMs);
  };
  const [one, two] = await companiesOf(rig, 'eu1');
  assert.ok(one && two, 'the first cell has two companies');
  await phase('a cell is killed', async () => await killCell(stage, load, plan));
  await phase('two companies are moved', async () => [
    ...(await move(stage, allowed, one, 'eu2')),
    ...(await move(stage, allowed, two, 'eu3')),
  ]);
  await phase('a cell is added', async () => {
    await rig.add(await rig.newPlace('eu4', 'four'));
    await stage.replace();
    return undefined;
  });
  await phase('a company is moved to the new cell, and one back', async () => [
    ...(await move(stage, allowed, two, 'eu4')),
    ...(await move(stage, allowed, one, 'eu1')),
  ]);
  await phase('the cells are migrated one by one', async () => {
    await migrateEach(stage, plan.pauseMs / 4);
    await stage.replace();
    return undefined;
  });
  return found;
}

/** Declares the test. */
export function testCellsUnderLoad(plan: LoadPlan): void {
  test(`${plan.companies} companies on three cells lose nothing, do nothing twice and see nothing of each other`, async (t) => {
    const stage = await openStage(plan);
    try {
      const load = await startLoad(stage, stage.companies);
      await sleep(plan.pauseMs);
      const found = await disturb(t, stage, load, plan);
      await load.rest();
      await awaitRest(stage.rig.cells);
      // The feed shows what no open transaction precedes.
      await sleep(2_000);
      found.push(...(await load.stop()));
      const journals = load.buyers.map(({ journal }) => journal);
      found.push(...(await findContradictions(stage.rig.cells, journals, load.hooks)));
      const sum = (count: (journal: Journal) => number) =>
        journals.reduce((total, journal) => total + count(journal), 0);
      const counts = {
        requests: sum(({ requests }) => requests),
        links: sum(({ links }) => links.length),
        refunds: sum(({ refunds }) => refunds.length),
        unanswered: sum(({ unanswered }) => unanswered.length),
      };
      t.diagnostic(JSON.stringify(counts));
      assert.deepEqual(found, []);
      assert.ok(counts.links >= 5 * plan.companies, 'the companies had customers');
      assert.ok(counts.unanswered > 0, 'the killed cell had customers');
    } finally {
      await stage.close();
    }
  });
}
