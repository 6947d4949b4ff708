// `paylink doctor`: checks what the service needs, and prints what to fix. Must not: fix anything itself.

import type { Config } from '../config.ts';
import type { Command } from './command.ts';
import { CommandError, type Environment, exitCodes, usageError } from './command-error.ts';
import type { CheckResult } from './doctor-checks.ts';
import { type Style, stripControlCharacters } from './terminal.ts';

const styles: Readonly<Record<CheckResult['state'], Style>> = { ok: 'green', warn: 'yellow', fail: 'red' };

/** With `isLive` it also checks live payments, of one company or of all. */
type DoctorOptions = { isLive: boolean; companyId: string | undefined };

/** Checks companies only on a reachable server that matches this version. */
async function checkLive(
  config: Config,
  found: readonly CheckResult[],
  { companyId }: DoctorOptions,
): Promise<CheckResult[]> {
  const { checkLiveCompanies, checkLiveSettings, applyLiveSeverity } = await import('./doctor-live.ts');
  const all = [...applyLiveSeverity(found), ...checkLiveSettings(config)];
  // Of several cells, each has its own: all must be up.
  const migrations = found.filter(({ check }) => /^migrations( of |$)/.test(check));
  const isUpToDate =
    migrations.some(({ state }) => state === 'ok') &&
    !found.some(({ check, state }) => /^(migrations|database)( of |$)/.test(check) && state !== 'ok');
  if (!config.databaseUrl || !isUpToDate) return all;
  return [...all, ...(await checkLiveCompanies(config, companyId))];
}

async function runChecks(env: Environment, options: DoctorOptions): Promise<CheckResult[]> {
  const checks = await import('./doctor-checks.ts');
  const { checkSettingNames, checkTracing } = await import('./doctor-settings.ts');
  const { readServiceSettings, serviceEnvironment } = await import('./settings.ts');
  const node = checks.checkNode(process.versions.node);
  try {
    const config = readServiceSettings(env);
    const { checkDatabase } = await import('./doctor-database.ts');
    const { checkEmail } = await import('./doctor-email.ts');
    const found = [
      node,
      checks.ok('settings', 'all settings are valid'),
      checkSettingNames(serviceEnvironment(env)),
      checks.checkFolder(config),
      await checks.checkDisk(config),
      ...(await checkDatabase(config)),
      await checks.checkKey(config, env),
      checks.checkOldKey(config),
      ...(await checks.checkAddress(config)),
      checks.checkProxies(config),
      checks.checkLoopback(config),
      await checkEmail(config),
      await checkTracing(config),
    ].filter((result) => result !== null);
    return options.isLive ? await checkLive(config, found, options) : found;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [node, checks.fail('settings', error.message, 'See docs/operations.md for each setting.')];
  }
}

const printable = (text: string) => text.split('\n').map(stripControlCharacters).join('\n');

const doctor: Command = {
  name: 'doctor',
  summary: 'Check settings, database, key, clock, address and mail, and print what to fix',
  details:
    'It changes nothing and sends no email. It skips an embedded database that the service uses. The exit code is\n' +
    '1 if a check fails, but not for warnings. With --live it also checks whether real money can be taken, and has\n' +
    'each processor verify the live credentials.',
  options: [
    { name: 'live', help: 'also check live payments, and treat some warnings as failures' },
    {
      name: 'company',
      value: 'COMPANY_ID',
      help: 'with --live: check only this company; default: all with a live key or connection',
    },
  ],
  examples: ['doctor', 'doctor --json', 'doctor --live'],
  run: async ({ terminal, env }, given) => {
    const options = { isLive: given.has('live'), companyId: given.text('company') };
    if (options.companyId !== undefined && !options.isLive) throw usageError('--company requires --live.');
    const findings = await runChecks(env, options);
    const lines = findings.flatMap(({ check, state, detail, mend }) => [
      `${terminal.paint(styles[state], state.padEnd(4))}  ${check}: ${printable(detail)}`,
      ...(mend ? [`      ${printable(mend)}`] : []),
    ]);
    const count = (state: CheckResult['state']) =>
      findings.filter((finding) => finding.state === state).length;
    const isHealthy = count('fail') === 0;
    terminal.report({
      json: { healthy: isHealthy, findings },
      lines: [...lines, `${count('ok')} ok, ${count('warn')} warnings, ${count('fail')} failures.`],
    });
    return isHealthy ? exitCodes.ok : exitCodes.found;
  },
};

export const doctorCommands: readonly Command[] = [doctor];
