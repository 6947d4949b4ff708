// Commands about restoring: the rehearsal of a backup, and raising the numbers of events. Must not: send anything, or
// call a processor.

import type { RestoredCheck } from '../verify-restored.ts';
import type { Command, CommandContext } from './command.ts';
import { readCount } from './command.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';
import type { Undo } from './restore-backup.ts';
import { type Style, stripControlCharacters } from './terminal.ts';

const styles: Readonly<Record<RestoredCheck['state'], Style>> = { ok: 'green', warn: 'yellow', fail: 'red' };

type Rehearsal = { backup: string; serverUrl: string | undefined };

async function rehearse({ terminal, env }: CommandContext, { backup, serverUrl }: Rehearsal, undo: Undo) {
  const { kindOfBackup, restoreDump, restoreFolder } = await import('./restore-backup.ts');
  const { readServiceSettings, toStartupError } = await import('./settings.ts');
  const { readMasterKeys } = await import('../master-key.ts');
  const { verifyRestored } = await import('../verify-restored.ts');
  const { signal } = terminal;
  const config = readServiceSettings(env);
  const kind = kindOfBackup(backup);
  if (kind === 'folder' && serverUrl !== undefined) throw usageError('--server is for dumps.');
  if (kind === 'dump' && !config.masterKey)
    throw usageError('Set PAYLINK_MASTER_KEY to the master key that you keep for this backup.');
  const startedAt = performance.now();
  try {
    const { db, dataDir } =
      kind === 'dump'
        ? { db: await restoreDump(backup, { serverUrl, env, undo, signal }), dataDir: config.dataDir }
        : await restoreFolder(backup, { undo });
    const tookMs = performance.now() - startedAt;
    signal.throwIfAborted();
    const keys = readMasterKeys({ ...config, dataDir });
    const { checks, figures } = await verifyRestored(db, { keys, isTimeUp: () => signal.aborted });
    signal.throwIfAborted();
    const restored: RestoredCheck = {
      check: 'restore',
      state: 'ok',
      detail: `${kind === 'dump' ? 'a dump' : 'a data folder'}, restored in ${Math.ceil(tookMs / 1000)} s`,
    };
    return { checks: [restored, ...checks], figures };
  } catch (error) {
    if (signal.aborted)
      throw new CommandError(exitCodes.found, 'The rehearsal was interrupted. The backup was not verified.');
    throw toStartupError(error, null);
  }
}

const rehearseCommand: Command = {
  name: 'admin rehearse-restore',
  summary: 'Restore a backup into a temporary place, and verify it',
  details:
    'The backup is a dump in the custom or directory format of pg_dump, or a copy of the data folder of the embedded\n' +
    'database. It starts a temporary PostgreSQL for a dump, sends nothing, calls no processor, and removes everything\n' +
    'that it made. The exit code is 1 if the backup cannot be used.',
  arguments: [{ name: 'BACKUP', help: 'the dump, or the copied folder' }],
  options: [
    {
      name: 'server',
      value: 'URL',
      help: 'create the temporary database on this server, as a superuser; default: a temporary PostgreSQL',
    },
  ],
  examples: ['admin rehearse-restore paylink.dump', 'admin rehearse-restore /backup/data'],
  run: async (context, given) => {
    const { terminal } = context;
    const { createUndo } = await import('./restore-backup.ts');
    const undo = createUndo();
    const rehearsal = { backup: given.argument('BACKUP'), serverUrl: given.text('server') };
    const { checks, figures } = await rehearse(context, rehearsal, undo).finally(undo.run);
    const isRestorable = checks.every(({ state }) => state !== 'fail');
    const count = (wanted: RestoredCheck['state']) => checks.filter(({ state }) => state === wanted).length;
    const verdict = isRestorable ? 'The backup can be restored' : 'The backup cannot be used as it is';
    terminal.report({
      json: { restorable: isRestorable, checks, figures },
      lines: [
        ...checks.map(({ check, state, detail }) => {
          const shown = detail.split('\n').map(stripControlCharacters).join('\n      ');
          return `${terminal.paint(styles[state], state.padEnd(4))}  ${check}: ${shown}`;
        }),
        `${verdict}: ${count('ok')} ok, ${count('warn')} warnings, ${count('fail')} failures.`,
      ],
    });
    return isRestorable ? exitCodes.ok : exitCodes.found;
  },
};

const mostBeyond = 999_999_999_999;

const catchUpCommand: Command = {
  name: 'admin catch-up',
  summary: 'Raise the numbers of new events above those of the stored events',
  details:
    'The service does the same when it starts. After a restore to an earlier time, --beyond makes the cursors of readers\n' +
    'of the event feed valid again: give the number of transactions that were lost, or more. It takes a moment.',
  options: [{ name: 'beyond', value: 'COUNT', help: 'raise so much further' }],
  examples: ['admin catch-up', 'admin catch-up --beyond 1000000'],
  run: async ({ terminal, env }, given) => {
    const beyond = readCount(given, 'beyond', { min: 1, max: mostBeyond }) ?? 0;
    const { withDatabase } = await import('./settings.ts');
    const { catchUpEventNumbers } = await import('../events/event-numbers.ts');
    const raisedBy = await withDatabase(env, async (db) => {
      let most = 0n;
      for (const cell of db.cells()) {
        const raised = await catchUpEventNumbers(cell, { beyond: BigInt(beyond) });
        if (raised > most) most = raised;
      }
      return most;
    });
    terminal.report({
      json: { raisedBy: Number(raisedBy) },
      lines: [raisedBy === 0n ? 'The numbers are not behind.' : `Raised by ${raisedBy}.`],
    });
    return exitCodes.ok;
  },
};

export const restoreCommands: readonly Command[] = [rehearseCommand, catchUpCommand];
