// `paylink status`: what an operator has to know about the service. Must not: change anything.

import type { Database } from '../db/database.ts';
import type { OperatorStatus } from '../status/schema.ts';
import type { Command } from './command.ts';
import { CommandError, type Environment, exitCodes } from './command-error.ts';

async function readFromDatabase(db: Database): Promise<OperatorStatus> {
  const { presentStatus } = await import('../status/present-status.ts');
  const { readStatus } = await import('../status/read-status.ts');
  return presentStatus(await readStatus(db, null));
}

/** Throws a CommandError with exit code 2 for whatever keeps it from telling. */
async function read(env: Environment): Promise<OperatorStatus> {
  const { withDatabase } = await import('./settings.ts');
  try {
    return await withDatabase(env, readFromDatabase, 'those that are up');
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(exitCodes.usage, `The status cannot be read: ${reason}.`);
  }
}

export const statusCommands: readonly Command[] = [
  {
    name: 'status',
    summary: 'Show whether the service needs a person: work, attempts, connections, cases, jobs',
    details:
      'It reads the database in the settings. The exit code is 0 if nothing needs a person, 1 if something does, and 2 if\n' +
      'the command cannot tell, for example because the database does not respond. Only one process at a time can use\n' +
      'the embedded database: while the service runs, look at Operation in the dashboard.',
    examples: ['status', 'status --json'],
    run: async ({ terminal, env }) => {
      const status = await read(env);
      const { formatStatus } = await import('./status-lines.ts');
      terminal.report({ json: status, lines: terminal.isJson ? [] : await formatStatus(status, terminal) });
      return status.verdict === 'ok' ? exitCodes.ok : exitCodes.found;
    },
  },
];
