// `paylink admin rotate-master-key`: the step of a change of the master key that the database needs. The whole
// way is in docs/operations.md. It must never take a key away, nor print one.

import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { MasterKeys } from '../master-key.ts';
import type { ReencryptionSummary } from '../rotate-master-key.ts';
import type { Command } from './command.ts';
import { type ExitCode, exitCodes, usageError } from './fault.ts';

/** The master keys of the settings; with `isMake` a new one in the data folder, unless a change is under way. */
async function chooseKeys(config: Config, isMake: boolean): Promise<MasterKeys> {
  const { keyFilesOf, readMasterKeys, replaceMasterKey } = await import('../master-key.ts');
  if (isMake && (config.databaseUrl || config.masterKey))
    throw usageError(
      'The master key is in the settings, where no command can change it: set PAYLINK_OLD_MASTER_KEY to the one\n' +
        'of now, and PAYLINK_MASTER_KEY to a new one, from "openssl rand -base64 32". --make is for the embedded\n' +
        'database with a key of its own.',
    );
  const keys = readMasterKeys(config);
  if (!keys) throw usageError(`There is no ${keyFilesOf(config).current}: restore it from a backup.`);
  return isMake && !keys.old ? await replaceMasterKey(config, keys.current) : keys;
}

/** What the service would seal meanwhile has to be under the new key, too. */
async function refuseOtherService(config: Config, kid: string | undefined): Promise<void> {
  const { fetchKeySet } = await import('./doctor-checks.ts');
  const keySet = await fetchKeySet(config.baseUrl);
  if (!keySet?.keys || keySet.keys[0]?.kid === kid) return;
  throw usageError(
    `The service at ${config.baseUrl} has another master key as its current one: start every process with the\n` +
      'settings of this command first.',
  );
}

type RotationResult = {
  keyId: string;
  oldKeyId: string | null;
  companies: number;
  kinds: ReencryptionSummary[];
};

function describeKind({ name, resealed, upToDate, unopened }: ReencryptionSummary): string[] {
  return [
    `${name}: ${resealed} sealed anew, ${upToDate} were up to date`,
    ...unopened.map(
      ({ companyId, id }) => `${name}: ${id} of ${companyId} opens under no key of the settings`,
    ),
  ];
}

/** What to do now, in the words of docs/operations.md. */
function describeNext({ oldKeyId, kinds }: RotationResult, oldKey: string): string[] {
  if (kinds.some(({ unopened }) => unopened.length > 0))
    return ['Find the master key of what does not open, set it as the old one, and run this again.'];
  if (!oldKeyId) return ['No old master key is set: there is nothing more to do.'];
  return [
    'Next: have every merchant take their new API key from a login. Wait 48 hours, for answers that are kept.',
    `Then ${oldKey}, and start the service again.`,
  ];
}

function describeChange(change: RotationResult, oldKey: string): string[] {
  const { keyId, companies, kinds } = change;
  const unopened = kinds.reduce((sum, kind) => sum + kind.unopened.length, 0);
  const verdict =
    unopened === 0
      ? `Nothing is left under another master key than ${keyId} (companies: ${companies}).`
      : `${unopened} could not be sealed anew (companies: ${companies}).`;
  return [...kinds.flatMap(describeKind), verdict, ...describeNext(change, oldKey)];
}

type RotationOptions = { isMake: boolean; isLost: boolean };

async function rotate(
  db: Database,
  config: Config,
  { isMake, isLost: isOldKeyLost }: RotationOptions,
): Promise<[RotationResult, string]> {
  const { keyFilesOf, readMasterKeys } = await import('../master-key.ts');
  const { openKeyring } = await import('../base/keyring.ts');
  const { reencryptAll } = await import('../rotate-master-key.ts');
  const { allowCurrentKey, revokeOldKeys, requireMasterKey } = await import('../check-master-key.ts');
  const existing = readMasterKeys(config);
  // Before a key is made: a wrong one must not become the old one.
  if (existing && !isOldKeyLost) await requireMasterKey(db, existing);
  const keys = await chooseKeys(config, isMake);
  const keyring = await openKeyring(keys.current, keys.old);
  // Nobody else has an embedded database open.
  if (db.kind === 'server') await refuseOtherService(config, keyring.jwks.keys[0]?.kid);
  const { keyId, oldKeyId } = keyring;
  const isInSettings = config.masterKey !== null || config.oldMasterKey !== null;
  const oldKey = isInSettings ? 'unset PAYLINK_OLD_MASTER_KEY' : `delete ${keyFilesOf(config).old}`;
  await allowCurrentKey(db, keyring);
  const resealed = await reencryptAll({ db, keyring });
  const isComplete = resealed.kinds.every(({ unopened }) => unopened.length === 0);
  if (isComplete || isOldKeyLost) await revokeOldKeys(db, keyring);
  return [{ keyId, oldKeyId, ...resealed }, oldKey];
}

export const rotateCommand: Command = {
  name: 'admin rotate-master-key',
  summary: 'Seal what is kept sealed anew, from the old master key to the current one',
  details:
    'One step of a change of the master key: the whole way is in docs/operations.md. It may run beside a service\n' +
    'on a PostgreSQL server, and again after it was broken off. The exit code is 1 when something does not open.',
  options: [
    {
      name: 'make',
      help: 'make a new master key in the data folder first, unless one was made; on the embedded database only',
    },
    {
      name: 'lost',
      help: 'the key of this database is lost: take the one of the settings; what it does not open stays closed',
    },
  ],
  examples: ['admin rotate-master-key', 'admin rotate-master-key --make'],
  run: async ({ terminal, env }, given): Promise<ExitCode> => {
    const { withDatabase } = await import('./settings.ts');
    const [change, oldKey] = await withDatabase(
      env,
      async (db, config) =>
        await rotate(db, config, { isMake: given.has('make'), isLost: given.has('lost') }),
    );
    terminal.report({ json: change, lines: describeChange(change, oldKey) });
    return change.kinds.some(({ unopened }) => unopened.length > 0) ? exitCodes.found : exitCodes.ok;
  },
};
