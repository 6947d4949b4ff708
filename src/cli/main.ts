// The entry point. Must not: print a stack trace for an error that the user can correct.

import { createRequire } from 'node:module';
import { toCommandError } from './client.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';
import { commands } from './commands.ts';
import { helpFor } from './help.ts';
import { parse } from './parse.ts';
import { escapeControlCharacters, openTerminal } from './terminal.ts';

const { env, stdin, stdout, stderr } = process;

function printError(error: CommandError, isJson: boolean): number {
  const { exitCode, message, details } = error;
  stderr.write(`${message}\n`);
  const json = JSON.stringify({ error: { exitCode, message, ...details } });
  if (isJson) stdout.write(`${escapeControlCharacters(json)}\n`);
  return exitCode;
}

async function run(argv: readonly string[]): Promise<number> {
  const parsed = parse(argv, commands);
  if (parsed.kind === 'version') {
    const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
    stdout.write(`${version}\n`);
    return exitCodes.ok;
  }
  if (parsed.kind === 'help') {
    const help = helpFor(parsed.words, commands);
    if (help === null)
      throw usageError(`There is no command "${parsed.words.join(' ')}". See: paylink --help`);
    stdout.write(`${help}\n`);
    return exitCodes.ok;
  }
  const terminal = openTerminal({ stdin, stdout, stderr }, env, { isJson: parsed.isJson });
  return await parsed.command.run({ terminal, env }, parsed.given);
}

async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  // The reader may close the pipe early: `paylink payments list | head`.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(exitCodes.ok);
  });
  // A note that nobody can read must not end a command that runs on.
  stderr.on('error', () => undefined);
  try {
    return await run(argv);
  } catch (error) {
    const reported = toCommandError(error);
    if (reported instanceof CommandError) return printError(reported, argv.includes('--json'));
    console.error(error);
    return exitCodes.found;
  }
}

process.exitCode = await main();
