// `paylink admin cells move`, `cancel`, `drain` and `verify`: moves companies between cells, as in docs/cells.md.

import { OperatorError } from '../base/operator-error.ts';
import type { CancelSummary } from '../cell-moves/cancel-move.ts';
import type { MoveDeps } from '../cell-moves/move-company.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';

/** Runs work on the cells, all of which must be up. */
async function withCells<T>(
  { env, terminal }: CommandContext,
  work: (deps: MoveDeps) => Promise<T>,
): Promise<T> {
  const { readServiceSettings, withConfiguredDatabase } = await import('./settings.ts');
  const { workInNewCell } = await import('../work-in-new-cell.ts');
  const config = readServiceSettings(env);
  const { cells } = config;
  if (!cells) throw usageError('Set DATABASE_URLS to the databases of all cells: see docs/cells.md.');
  return await withConfiguredDatabase(config, async (db) => {
    const addressOf = (name: string) => {
      const cell = cells.find((each) => each.name === name);
      return cell?.directUrl ?? cell?.url ?? '';
    };
    return await work({ db, addressOf, work: workInNewCell, log: terminal.note }).catch((error: unknown) => {
      if (error instanceof OperatorError)
        throw new CommandError(exitCodes.found, error.message, { code: 'move_stopped' });
      throw error;
    });
  });
}

const companyArgument = { name: 'COMPANY', help: 'the ID of the company' };

const moveCommand: Command = {
  name: 'admin cells move',
  summary: 'Move a company to another cell while the service runs',
  details:
    'It copies the company by logical replication, holds up its requests for less than 2 s, compares both sides, and\n' +
    'switches. Then it removes the rows from the old cell. After an interruption run it again, or cancel it.',
  arguments: [companyArgument, { name: 'CELL', help: 'the name of the cell that it moves to' }],
  examples: ['admin cells move co_4t8k2m9p eu2'],
  run: async (context, given) => {
    const { moveCompany } = await import('../cell-moves/move-company.ts');
    const request = { companyId: given.argument('COMPANY'), to: given.argument('CELL') };
    const moved = await withCells(context, async (deps) => await moveCompany(deps, request));
    const { companyId, from, to, rows, frozenMs, removedRows } = moved;
    context.terminal.report({
      json: moved,
      lines:
        from === null
          ? [`${companyId} is in ${to}. Rows removed elsewhere: ${removedRows}.`]
          : [
              `${companyId} has moved from ${from} to ${to}: ${rows} rows. Its requests waited ${frozenMs} ms.`,
              `Rows removed from ${from}: ${removedRows}.`,
            ],
    });
    return exitCodes.ok;
  },
};

function describeCancel({ companyId, home, outcome, otherCell, removedRows }: CancelSummary): string {
  if (outcome === 'undone')
    return `The move to ${otherCell} was undone. ${companyId} stays in ${home}. Rows removed from ${otherCell}: ${removedRows}.`;
  if (outcome === 'finished')
    return (
      `The move to ${home} had switched already, and is finished now. To go back: paylink admin cells move ${companyId} ` +
      `${otherCell}`
    );
  if (outcome === 'removed')
    return `${companyId} is in ${home}. Rows that an interrupted command had left elsewhere were removed: ${removedRows}.`;
  return `No move of ${companyId} was interrupted.`;
}

const cancelCommand: Command = {
  name: 'admin cells cancel',
  summary: 'Undo an interrupted move of a company',
  details:
    'The company stays where it is; what was copied of it is removed. A move that has switched cannot be undone: what it\n' +
    'left is removed, and you move the company back. If a fail-over of the new cell lost the end of the switch, the company\n' +
    'goes back to the old cell.',
  arguments: [companyArgument],
  examples: ['admin cells cancel co_4t8k2m9p'],
  run: async (context, given) => {
    const { cancelMove } = await import('../cell-moves/cancel-move.ts');
    const companyId = given.argument('COMPANY');
    const cancelled = await withCells(context, async (deps) => await cancelMove(deps, companyId));
    context.terminal.report({
      json: cancelled,
      lines: [describeCancel(cancelled)],
    });
    return exitCodes.ok;
  },
};

const drainCommand: Command = {
  name: 'admin cells drain',
  summary: 'Move all companies out of a cell',
  details:
    'The cell gets the weight 0, so it takes no new companies. Its companies move to the other cells by their weights, one\n' +
    'after another. Moves from the cell that were interrupted after their switch are finished. Companies that could not\n' +
    'be moved are listed: run the command again.',
  arguments: [{ name: 'CELL', help: 'the name of the cell' }],
  examples: ['admin cells drain eu1'],
  run: async (context, given) => {
    const { drainCell } = await import('../cell-moves/drain-cell.ts');
    const name = given.argument('CELL');
    const { moved, failed } = await withCells(context, async (deps) => await drainCell(deps, name));
    context.terminal.report({
      json: { moved, failed },
      lines: [
        ...moved.map(({ companyId, from, to, frozenMs }) =>
          from === null
            ? `${companyId} is in ${to}; its move was finished.`
            : `${companyId} moved to ${to}; its requests waited ${frozenMs} ms.`,
        ),
        ...failed.map(({ companyId, reason }) => `${companyId} was not moved: ${reason}`),
        `Companies moved from ${name}: ${moved.length}; not moved: ${failed.length}. Its weight is 0.`,
      ],
    });
    return failed.length === 0 ? exitCodes.ok : exitCodes.found;
  },
};

const verifyCommand: Command = {
  name: 'admin cells verify',
  summary:
    'Verify that every company is in exactly one cell, that the directory agrees, and that no move left anything behind',
  arguments: [{ ...companyArgument, isOptional: true }],
  examples: ['admin cells verify', 'admin cells verify co_4t8k2m9p'],
  run: async (context, given) => {
    const { verifyCells } = await import('../cell-moves/verify-cells.ts');
    const wanted = given.optionalArgument('COMPANY') ?? null;
    const report = await withCells(context, async ({ db }) => await verifyCells(db, wanted));
    const { companies, findings } = report;
    context.terminal.report({
      json: report,
      lines: [
        ...findings.map(({ companyId, sentence }) => (companyId ? `${companyId}: ${sentence}` : sentence)),
        findings.length === 0
          ? `Every company is at home in one cell (companies: ${companies}).`
          : `Findings: ${findings.length} (companies: ${companies}).`,
      ],
    });
    return findings.length === 0 ? exitCodes.ok : exitCodes.found;
  },
};

export const cellMoveCommands: readonly Command[] = [moveCommand, cancelCommand, drainCommand, verifyCommand];
