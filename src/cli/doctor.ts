// `paylink doctor`: looks at everything that the service stands on, and says what to mend. It must never
// mend anything by itself.

import type { Config } from '../config.ts';
import type { Command } from './command.ts';
import type { CheckResult } from './doctor-checks.ts';
import { CommandError, type Environment, exitCodes, usageError } from './fault.ts';
import { type Style, stripControlCharacters } from './terminal.ts';

const styles: Readonly<Record<CheckResult['state'], Style>> = { ok: 'green', warn: 'yellow', fail: 'red' };

/** What is to be looked at: with `isLive` also whether real money can be taken, by one company or by all. */
type DoctorOptions = { isLive: boolean; companyId: string | undefined };

/** The companies are looked at only where the database is a server of this version that answers. */
async function checkLive(
  config: Config,
  found: readonly CheckResult[],
  { companyId }: DoctorOptions,
): Promise<CheckResult[]> {
  const { checkLiveCompanies, checkLiveSettings, applyLiveSeverity } = await import('./doctor-live.ts');
  const all = [...applyLiveSeverity(found), ...checkLiveSettings(config)];
  const isSound = found.some(({ check, state }) => check === 'migrations' && state === 'ok');
  if (!config.databaseUrl || !isSound) return all;
  return [...all, ...(await checkLiveCompanies(config, companyId))];
}

async function runChecks(env: Environment, options: DoctorOptions): Promise<CheckResult[]> {
  const checks = await import('./doctor-checks.ts');
  const { readServiceSettings } = await import('./settings.ts');
  const node = checks.checkNode(process.versions.node);
  try {
    const config = readServiceSettings(env);
    const { checkDatabase } = await import('./doctor-database.ts');
    const { checkEmail } = await import('./doctor-email.ts');
    const found = [
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
      await checkEmail(config),
    ];
    return options.isLive ? await checkLive(config, found, options) : found;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [node, checks.fail('settings', error.message, 'See docs/operations.md for each setting.')];
  }
}

/** What settings and answers say, line by line. */
const shown = (text: string) => text.split('\n').map(stripControlCharacters).join('\n');

const doctor: Command = {
  name: 'doctor',
  summary: 'Check settings, database, key, clock, address and mail, and say what to mend',
  details:
    'It changes nothing, and sends no mail. An embedded database that the service uses is left alone. The exit\n' +
    'code is 1 when a check fails; a warning is no failure. With --live it also says whether real money can be\n' +
    'taken, and has each processor asked whether the live credentials hold.',
  options: [
    { name: 'live', help: 'check what live payments need, too, by a stricter measure' },
    {
      name: 'company',
      value: 'COMPANY_ID',
      help: 'with --live, look at this company alone; else at all that have anything live',
    },
  ],
  examples: ['doctor', 'doctor --json', 'doctor --live'],
  run: async ({ terminal, env }, given) => {
    const options = { isLive: given.has('live'), companyId: given.text('company') };
    if (options.companyId !== undefined && !options.isLive) throw usageError('--company is for --live.');
    const findings = await runChecks(env, options);
    const lines = findings.flatMap(({ check, state, detail, mend }) => [
      `${terminal.paint(styles[state], state.padEnd(4))}  ${check}: ${shown(detail)}`,
      ...(mend ? [`      ${shown(mend)}`] : []),
    ]);
    const count = (state: CheckResult['state']) =>
      findings.filter((finding) => finding.state === state).length;
    const isHealthy = count('fail') === 0;
    terminal.report({
      json: { healthy: isHealthy, findings },
      lines: [...lines, `${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} to mend.`],
    });
    return isHealthy ? exitCodes.ok : exitCodes.found;
  },
};

export const doctorCommands: readonly Command[] = [doctor];
