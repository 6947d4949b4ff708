// The first seconds of a fresh installation: tables without rows, which nobody has analysed, under full load at once. What
// comes later is measured in the same way, on the same tables, analysed, with a service that is as fresh: so only what the
// database knows of its tables differs.

import { analyzeTables } from './database.ts';
import { type BenchEnvironment, measureScenario } from './measure.ts';

export const firstSeconds = 5;

export type Pace = { firstPerSecond: number; laterPerSecond: number };
export type FirstSeconds = Readonly<Record<'create' | 'pay', Pace>>;

async function measureBoth(stand: BenchEnvironment): Promise<Record<'create' | 'pay', number>> {
  const create = await measureScenario(stand, 'create-64', { seconds: firstSeconds });
  const pay = await measureScenario(stand, 'pay', { seconds: firstSeconds });
  return { create: create.perSecond, pay: pay.perSecond };
}

/** Measures the stand's first seconds; it must have had none yet. */
export async function measureFirstSeconds(stand: BenchEnvironment): Promise<FirstSeconds> {
  const first = await measureBoth(stand);
  await analyzeTables(stand.bench);
  await stand.restart();
  const later = await measureBoth(stand);
  const paceOf = (name: 'create' | 'pay') => ({ firstPerSecond: first[name], laterPerSecond: later[name] });
  return { create: paceOf('create'), pay: paceOf('pay') };
}
