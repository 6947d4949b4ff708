// `paylink doctor`: looks at everything that the service stands on, and says what to mend. It must never
// mend anything by itself.

import type { Environment } from './command.ts';
import { type Command, CommandFault, exitCodes } from './command.ts';
import type { Finding } from './doctor-checks.ts';
import { plain, type Style } from './terminal.ts';

const styles: Readonly<Record<Finding['state'], Style>> = { ok: 'green', warn: 'yellow', fail: 'red' };

async function runChecks(env: Environment): Promise<Finding[]> {
  const checks = await import('./doctor-checks.ts');
  const { readSettings } = await import('./settings.ts');
  const node = checks.checkNode(process.versions.node);
  try {
    const config = readSettings(env);
    const { checkDatabase } = await import('./doctor-database.ts');
    const { checkMail } = await import('./doctor-mail.ts');
    return [
      node,
      checks.ok('settings', 'every setting passes'),
      ...checks.checkFolder(config),
      ...(await checks.checkDisk(config)),
      ...(await checkDatabase(config)),
      await checks.checkKey(config, env),
      ...checks.checkOldKey(config),
      ...(await checks.checkAddress(config)),
      checks.checkProxies(config),
      ...checks.checkLoopback(config),
      await checkMail(config),
    ];
  } catch (error) {
    if (!(error instanceof CommandFault)) throw error;
    return [node, checks.fail('settings', error.message, 'See docs/operations.md for each setting.')];
  }
}

/** What settings and answers say, line by line. */
const shown = (text: string) => text.split('\n').map(plain).join('\n');

const doctor: Command = {
  name: 'doctor',
  summary: 'Check settings, database, key, clock, address and mail, and say what to mend',
  details:
    'It changes nothing, and sends no mail. An embedded database that the service uses is left alone. The exit\n' +
    'code is 1 when a check fails; a warning is no failure.',
  examples: ['doctor', 'doctor --json'],
  run: async ({ terminal, env }) => {
    const findings = await runChecks(env);
    const lines = findings.flatMap(({ check, state, detail, mend }) => [
      `${terminal.paint(styles[state], state.padEnd(4))}  ${check}: ${shown(detail)}`,
      ...(mend ? [`      ${shown(mend)}`] : []),
    ]);
    const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
    const isHealthy = count('fail') === 0;
    terminal.report({
      json: { healthy: isHealthy, findings },
      lines: [...lines, `${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} to mend.`],
    });
    return isHealthy ? exitCodes.ok : exitCodes.found;
  },
};

export const doctorCommands: readonly Command[] = [doctor];
