// Payments during a flood of failing logins: 240 from 24 addresses at a time, repeated once all have their
// response. Must not: return a figure when the flood's passwords were not checked. Refused logins cost
// nothing.

import { randomUUID } from 'node:crypto';
import { PlainFault } from '../scripts/toolchain.mjs';
import { type BenchEnvironment, measureScenario } from './measure.ts';

export type LoginFloodResult = {
  /** p99 of paying with a few connections, without and with the flood. */
  quietP99Ms: number;
  floodP99Ms: number;
  /** Failing logins whose password was checked, and those refused before (429, 503). */
  checked: number;
  refused: number;
};

const addresses = 24;
const loginsPerAddress = 10;
/** So few that paying alone does not use up the machine. */
const connections = 4;

type Counts = { checked: number; refused: number };

async function guess(url: string, address: string, counts: Counts): Promise<void> {
  const { status } = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    // Another account each time: repeated failures of one account would soon be delayed.
    body: JSON.stringify({ email: `${randomUUID()}@example.com`, password: 'a wrong password' }),
  });
  if (status === 401) counts.checked++;
  else if (status === 429 || status === 503) counts.refused++;
  else throw new PlainFault(`a wrong login was answered by ${status}`);
}

/** Floods for some seconds. Later work, such as emails, is not disturbed. */
async function floodFor(url: string, seconds: number): Promise<Counts> {
  const counts = { checked: 0, refused: 0 };
  const endsAt = performance.now() + seconds * 1_000;
  while (performance.now() < endsAt) {
    const guesses = Array.from(
      { length: addresses * loginsPerAddress },
      async (_, each) => await guess(url, `198.51.100.${each % addresses}`, counts),
    );
    await Promise.all(guesses);
  }
  return counts;
}

/** Measures paying without and with the flood, with a restarted service. */
export async function measureLoginFlood(stand: BenchEnvironment, seconds: number): Promise<LoginFloodResult> {
  await stand.restart();
  await measureScenario(stand, 'pay', { seconds: 3, connections });
  const quiet = await measureScenario(stand, 'pay', { seconds, connections });
  const [beside, counts] = await Promise.all([
    measureScenario(stand, 'pay', { seconds, connections }),
    floodFor(stand.service.url, seconds),
  ]);
  if (counts.checked === 0) throw new PlainFault('no wrong login was checked during the flood');
  return { quietP99Ms: quiet.p99Ms, floodP99Ms: beside.p99Ms, ...counts };
}
