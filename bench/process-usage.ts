// The usage of processes from /proc: CPU seconds and memory. Must not: count a page twice that PostgreSQL's
// processes share.

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The unit of /proc/…/stat, the same on every Linux that Node runs on. */
const ticksPerSecond = 100;
/** kB of /proc are 1,024 bytes; our megabytes are a million. */
const kbPerMb = 1_000_000 / 1_024;

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended.
    return null;
  }
}

type Stat = { parent: number; ownTicks: number; endedChildrenTicks: number };

function readStat(pid: number): Stat | null {
  // The fields after the name, which is in parentheses and may contain any character.
  const fields = readProc(pid, 'stat')
    ?.replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  if (!fields) return null;
  const [, parent = 0] = fields;
  const [own = 0, ownSystem = 0, ended = 0, endedSystem = 0] = fields.slice(11, 15);
  return { parent, ownTicks: own + ownSystem, endedChildrenTicks: ended + endedSystem };
}

/** A process and its children. */
export function family(pid: number): number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return [pid, ...pids.filter((each) => readStat(each)?.parent === pid)];
}

/** CPU seconds of a process and all its current and former children. */
export function cpuSeconds(pid: number): number {
  const stats = family(pid).map(readStat);
  const ticks = stats.reduce((sum, stat) => sum + (stat?.ownTicks ?? 0), stats[0]?.endedChildrenTicks ?? 0);
  return ticks / ticksPerSecond;
}

function readKb(pid: number, file: string, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readProc(pid, file) ?? '');
  return Number(line?.[1] ?? 0);
}

/** Resident memory of one process, in megabytes (10⁶ bytes). */
export function residentMb(pid: number): number {
  return readKb(pid, 'status', 'VmRSS') / kbPerMb;
}

/** Memory of a process and its children in megabytes; shared memory counts once. */
export function processTreeMb(pid: number): number {
  return family(pid).reduce((sum, each) => sum + readKb(each, 'smaps_rollup', 'Pss'), 0) / kbPerMb;
}

/** A process is idle below this share of a core over one interval. */
const idleCpuShare = 0.1;
const intervalMs = 250;
/** An interval without work may be a pause between two batches; so several in a row count. */
const idleIntervals = 4;
const idleTimeoutMs = 600_000;

export type WatchedWork<T> = { result: T; mostMb: number; seconds: number };

/**
 * Watches a process until `work` has ended and the process has finished what it does in the background.
 * @returns the result, the most memory of the process in megabytes, and the seconds until it was idle, to a quarter.
 * @throws what `work` throws, or when the process is still busy after ten minutes.
 */
export async function watchUntilIdle<T>(pid: number, work: Promise<T>): Promise<WatchedWork<T>> {
  const startedAt = performance.now();
  let [mostMb, busyUntil, idle, isOver] = [residentMb(pid), startedAt, 0, false];
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver || idle < idleIntervals) {
    if (performance.now() - startedAt > idleTimeoutMs)
      throw new Error(`process ${pid} does not come to rest`);
    const before = cpuSeconds(pid);
    await sleep(intervalMs);
    mostMb = Math.max(mostMb, residentMb(pid));
    const isIdle = cpuSeconds(pid) - before <= (idleCpuShare * intervalMs) / 1_000;
    idle = isIdle ? idle + 1 : 0;
    if (!isIdle) busyUntil = performance.now();
  }
  return { result: await work, mostMb, seconds: (busyUntil - startedAt) / 1_000 };
}
