// Confirmation of what cannot be undone. Must not: go on without an answer, or take silence for consent.

import type { CommandContext, OptionSpec, ParsedArguments } from './command.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';
import { stripControlCharacters } from './terminal.ts';

export const yesOption: OptionSpec = {
  name: 'yes',
  help: 'do not ask for confirmation; required without a terminal',
};

/** Rejects a call that could not be confirmed, before anything is sent. */
export function requireConfirmable(given: ParsedArguments, { terminal }: CommandContext, what: string): void {
  if (given.has('yes') || terminal.isInteractive) return;
  throw usageError(`There is no terminal to ask for confirmation. To ${what} without one, add --yes.`);
}

/** Asks, unless `--yes` was given. `describe` makes the question, and runs only if it is asked. */
export async function confirm(
  given: ParsedArguments,
  { terminal }: CommandContext,
  describe: () => Promise<string>,
): Promise<void> {
  if (given.has('yes')) return;
  const answer = await terminal.ask(stripControlCharacters(`${await describe()} [y/N] `));
  if (!/^y(es)?$/i.test(answer)) throw new CommandError(exitCodes.found, 'Nothing was done.');
}
