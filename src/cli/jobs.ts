// `paylink jobs run`: an operator does not wait for the night. Must not: run the job itself, because it needs the
// service's processors, mail server and lease.

import type { Command } from './command.ts';
import { exitCodes, usageError } from './command-error.ts';

const runJob: Command = {
  name: 'jobs run',
  summary: 'Make a recurring job due now',
  details:
    'A process of the service runs it within a second, and its next time stays the same. Without a running process, the\n' +
    'job runs at the next start. With several cells, it runs in each.',
  arguments: [{ name: 'JOB', help: 'its name, such as compare-processors' }],
  examples: ['jobs run compare-processors', 'jobs run verify-ledger'],
  run: async ({ terminal, env }, given) => {
    const { withDatabase } = await import('./settings.ts');
    const { listJobNames, makeJobDue } = await import('../work/scheduled-job-store.ts');
    const name = given.argument('JOB');
    await withDatabase(env, async (db) => {
      // Each cell has a calendar of its own.
      let isKnown = false;
      for (const cell of db.cells())
        isKnown = (await cell.inSystem(async (tx) => await makeJobDue(tx, name))) || isKnown;
      if (isKnown) return;
      const names = await db.inSystem(listJobNames);
      const known = names.length > 0 ? `the jobs are ${names.join(', ')}` : 'start the service once';
      throw usageError(`There is no recurring job ${name}: ${known}.`);
    });
    const result = `A process of the service runs it; the result is in its log, with "job":"${name}".`;
    terminal.report({ json: { due: name }, lines: [`Job ${name} is due now. ${result}`] });
    return exitCodes.ok;
  },
};

export const jobCommands: readonly Command[] = [runJob];
