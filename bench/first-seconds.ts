// The first seconds of a new installation: empty tables without statistics, under full load at once. Then the
// same measurement on the same, analysed tables with a restarted service: only the statistics differ.

import { measureBareInsert } from './baselines.ts';
import { analyzeTables } from './database.ts';
import { type BenchEnvironment, measureScenario } from './measure.ts';

export const firstSeconds = 5;

export type Pace = { firstPerSecond: number; laterPerSecond: number };
export type FirstSeconds = Readonly<Record<'create' | 'pay', Pace>> & {
  /** The bare insert on the same database server, afterwards. */
  insertPerSecond: number;
};

async function measureBoth(stand: BenchEnvironment): Promise<Record<'create' | 'pay', number>> {
  const create = await measureScenario(stand, 'create-64', { seconds: firstSeconds });
  const pay = await measureScenario(stand, 'pay', { seconds: firstSeconds });
  return { create: create.perSecond, pay: pay.perSecond };
}

/** Measures the first seconds of an environment that has not run yet. */
export async function measureFirstSeconds(stand: BenchEnvironment): Promise<FirstSeconds> {
  const first = await measureBoth(stand);
  await analyzeTables(stand.bench);
  await stand.restart();
  const later = await measureBoth(stand);
  const paceOf = (name: 'create' | 'pay') => ({ firstPerSecond: first[name], laterPerSecond: later[name] });
  const insert = await measureBareInsert(stand.tools, stand.bench, firstSeconds);
  return { create: paceOf('create'), pay: paceOf('pay'), insertPerSecond: insert.perSecond };
}
