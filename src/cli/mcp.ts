// `paylink mcp`: serves the API to a program with a language model. Must not: print to standard output, which carries the
// protocol.

import { createRequire } from 'node:module';
import { type Act, acts, isAct } from '../mcp/acts.ts';
import { isTransient, openServiceKeyClient, toCommandError } from './client.ts';
import type { Command, CommandContext, ParsedArguments } from './command.ts';
import { CommandError, type ExitCode, exitCodes, usageError } from './command-error.ts';
import { modeOfServiceKey, openServiceKey, profileOption } from './session.ts';
import { stripControlCharacters } from './terminal.ts';

/** A client waits for the first response, and shows nothing meanwhile. */
const startTimeoutMs = 5_000;

function readActs(given: ParsedArguments): Set<Act> {
  const names = (given.text('allow') ?? '').split(',').map((name) => name.trim());
  const allowed = new Set<Act>();
  for (const name of names.filter((one) => one !== '')) {
    if (!isAct(name)) throw usageError(`--allow has the acts ${acts.join(', ')}, not "${name}".`);
    allowed.add(name);
  }
  if (given.has('allow') && allowed.size === 0)
    throw usageError(`--allow needs an act: ${acts.join(', ')}. Leave it out to read only.`);
  return allowed;
}

async function serve({ terminal, env }: CommandContext, given: ParsedArguments): Promise<ExitCode> {
  const allowed = readActs(given);
  const login = await openServiceKey({ env }, given.text('profile'));
  const paylink = openServiceKeyClient(login);
  const mode = modeOfServiceKey(login.serviceKey);
  const note = (text: string) => terminal.note(text.split('\n').map(stripControlCharacters).join('\n'));
  const [{ createAccess }, { serveMcp }] = await Promise.all([
    import('../mcp/access.ts'),
    import('../mcp/serve.ts'),
  ]);
  const readAccess = createAccess(paylink);
  try {
    const { rights } = await readAccess({ maxRetries: 0, timeoutMs: startTimeoutMs });
    for (const act of allowed)
      if (!rights.includes(act)) note(`The service key lacks the scope ${act}, so this act is not offered.`);
  } catch (error) {
    // A key that the service refuses stays refused. A service that is down may come back.
    if (!isTransient(error)) throw error;
    const reported = toCommandError(error);
    note(`${reported instanceof Error ? reported.message : reported} The tools are listed once it responds.`);
  }
  note(`Serving ${login.url} in ${mode} mode over standard input and output. ${describeActs(allowed)}`);
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  const deps = { paylink, readAccess, url: login.url, mode, allowed, version, note };
  await serveMcp(deps, { stdin: process.stdin, stdout: process.stdout }, terminal.signal);
  return exitCodes.ok;
}

const describeActs = (allowed: ReadonlySet<Act>) =>
  allowed.size === 0 ? 'It only reads.' : `Allowed acts: ${[...allowed].join(', ')}.`;

const mcp: Command = {
  name: 'mcp',
  summary: 'Serve the API to an assistant, by the Model Context Protocol',
  details:
    'It reads and writes messages of the protocol on standard input and output, until its client closes them. It needs a\n' +
    'service key, and offers tools only for its scopes. Without --allow it only reads.',
  options: [
    {
      name: 'allow',
      value: 'ACTS',
      help: `acts to offer, separated by commas: ${acts.join(', ')}; default: none`,
    },
    profileOption,
  ],
  examples: ['mcp', 'mcp --profile shop --allow payments:create,payments:cancel'],
  run: async (context, given) => {
    try {
      return await serve(context, given);
    } catch (error) {
      // With --json the error would go to standard output.
      const reported = toCommandError(error);
      if (!(reported instanceof CommandError)) throw error;
      context.terminal.note(reported.message);
      return reported.exitCode;
    }
  },
};

export const mcpCommands: readonly Command[] = [mcp];
