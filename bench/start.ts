// The start times of the service with its embedded database, first and later, and the installed size.

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
  /** The size that `npm start` installs, and the size for all commands. */
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

function packageBytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') bytes += packageBytes(place);
    else if (entry.isFile()) bytes += statSync(place).size;
  }
  return bytes;
}

/** The installed size in megabytes of the lockfile's packages: of all, and of those for `npm start`. */
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

/** Starts it with a new folder, and then again with the same folder. */
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
