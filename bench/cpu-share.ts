// Limits processes to a share of a core, by a control group of the kernel. Must not: leave a group behind.

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PlainFault } from '../scripts/toolchain.mjs';
import { family } from './process-usage.ts';

export type CpuShare = {
  /** How many of the periods in which the processes wanted to run ended with them waiting, since the last call. */
  readThrottledShare(): number;
  /** After the processes have ended. */
  remove(): void;
};

/** Each group gets its share once in each period; a short one keeps pauses short. */
const periodUs = 20_000;

const root = '/sys/fs/cgroup';
/** The first version of control groups has a folder for each controller. */
const firstVersion = path.join(root, 'cpu');

function writeShare(folder: string, share: number): void {
  const quotaUs = Math.round(share * periodUs);
  if (folder.startsWith(firstVersion)) {
    writeFileSync(path.join(folder, 'cpu.cfs_period_us'), String(periodUs));
    writeFileSync(path.join(folder, 'cpu.cfs_quota_us'), String(quotaUs));
  } else writeFileSync(path.join(folder, 'cpu.max'), `${quotaUs} ${periodUs}`);
}

function readPeriods(folder: string): { all: number; throttled: number } {
  const text = readFileSync(path.join(folder, 'cpu.stat'), 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return { all: field('nr_periods'), throttled: field('nr_throttled') };
}

/** Limits a process, its children and those that they start to a share of a core. */
export function limitCpu(pid: number, share: number, name: string): CpuShare {
  const folder = path.join(existsSync(firstVersion) ? firstVersion : root, `paylink-${process.pid}-${name}`);
  try {
    mkdirSync(folder);
    writeShare(folder, share);
    for (const each of family(pid)) writeFileSync(path.join(folder, 'cgroup.procs'), String(each));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlainFault(`The cells cannot be limited, which needs root and control groups: ${reason}`);
  }
  let last = readPeriods(folder);
  return {
    readThrottledShare: () => {
      const [before, now] = [last, readPeriods(folder)];
      last = now;
      return now.all === before.all ? 0 : (now.throttled - before.throttled) / (now.all - before.all);
    },
    remove: () => rmdirSync(folder),
  };
}
