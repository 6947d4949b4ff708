// Starts a use case as a task of a walk, and records what its caller learned.

import { ApiError } from '../../src/base/errors.ts';
import type { Payment } from '../../src/payments/store.ts';
import type { Task } from './scheduler.ts';
import { processCount, type World } from './world.ts';

export function choose<T>(items: readonly T[], pick: number): T | undefined {
  return items[pick % items.length];
}

export function note(world: World, line: string): void {
  world.history.push(line);
}

/** Starts a use case on one of the processes. Errors of the catalogue are expected. */
export async function begin(world: World, pick: number, name: string, work: (task: Task) => Promise<string>) {
  const processId = pick % processCount;
  note(world, `${name} begins on process ${processId}`);
  await world.scheduler.start(name, processId, async (task) => {
    try {
      note(world, `${name} ends: ${await work(task)}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      note(world, `${name} is refused: ${error.code}`);
    }
  });
}

export function reportState(world: World, payment: Payment): string {
  const { state: kind, code } = payment;
  if (kind === 'paid' || kind === 'failed') world.reported.set(`${code} ${kind}`, { kind, code });
  return kind;
}
