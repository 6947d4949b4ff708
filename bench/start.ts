// How the service starts on its embedded database, first and later, and what npm installs for it.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './figures.ts';
import { residentMb } from './process-usage.ts';
import { startService } from './run-paylink.ts';

export type StartMeasurements = {
  firstSeconds: number;
  firstMb: number;
  laterSeconds: number;
  laterMb: number;
  /** What `npm start` installs, and what all commands need together. */
  installedMb: number;
  installedForAllMb: number;
};

const root = fileURLToPath(new URL('..', import.meta.url));
const laterStarts = 3;

async function startOnce(folder: string): Promise<{ seconds: number; mb: number }> {
  const service = await startService(folder, { DATA_DIR: path.join(folder, 'data') });
  const mb = residentMb(service.pid);
  await service.stop();
  return { seconds: service.secondsToReady, mb };
}

/** The size of the files of a package, without packages inside it. */
function packageBytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') bytes += packageBytes(place);
    else if (entry.isFile()) bytes += statSync(place).size;
  }
  return bytes;
}

/** Megabytes of the lockfile's packages, as far as they are here: all of them, and those that `npm start` needs. */
function measureInstalled(): { installedMb: number; installedForAllMb: number } {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  let [needed, all] = [0, 0];
  for (const [place, { dev = false }] of Object.entries(lock.packages)) {
    const folder = path.join(root, place);
    if (place === '' || !existsSync(folder)) continue;
    const bytes = packageBytes(folder);
    all += bytes;
    if (!dev) needed += bytes;
  }
  return { installedMb: needed / 1e6, installedForAllMb: all / 1e6 };
}

/** Starts it on a folder that is not there yet, and then on what that made. */
export async function measureStarts(folder: string): Promise<StartMeasurements> {
  const home = await mkdtemp(path.join(folder, 'start-'));
  try {
    const first = await startOnce(home);
    const later = [];
    for (let start = 0; start < laterStarts; start++) later.push(await startOnce(home));
    return {
      firstSeconds: first.seconds,
      firstMb: first.mb,
      laterSeconds: median(later.map(({ seconds }) => seconds)),
      laterMb: median(later.map(({ mb }) => mb)),
      ...measureInstalled(),
    };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
