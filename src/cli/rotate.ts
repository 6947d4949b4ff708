// `paylink admin rotate-master-key`, as in docs/operations.md. Must not: delete or print a key.

import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { MasterKeys } from '../master-key.ts';
import type { ReencryptionSummary } from '../rotate-master-key.ts';
import type { Command } from './command.ts';
import { type ExitCode, exitCodes, usageError } from './command-error.ts';

/** The master keys in the settings. With `createsKey`, a new one in the data folder unless there is one already. */
async function chooseKeys(config: Config, createsKey: boolean): Promise<MasterKeys> {
  const { keyFilesOf, readMasterKeys, replaceMasterKey } = await import('../master-key.ts');
  if (createsKey && (config.databaseUrl || config.masterKey))
    throw usageError(
      '--make is for the embedded database with its own key. Your master key is in the settings: set\n' +
        'PAYLINK_OLD_MASTER_KEY to the current key, and PAYLINK_MASTER_KEY to a new one, from\n' +
        '"openssl rand -base64 32".',
    );
  const keys = readMasterKeys(config);
  if (!keys) throw usageError(`The file ${keyFilesOf(config).current} is missing: restore it from a backup.`);
  return createsKey && !keys.old ? await replaceMasterKey(config, keys.current) : keys;
}

/** Throws if a running service would still encrypt with the old key. */
async function refuseOtherService(config: Config, kid: string | undefined): Promise<void> {
  const { fetchKeySet } = await import('./doctor-checks.ts');
  const keySet = await fetchKeySet(config.baseUrl);
  if (!keySet?.keys || keySet.keys[0]?.kid === kid) return;
  throw usageError(
    `The service at ${config.baseUrl} uses another master key: restart every process with the settings of this\n` +
      'command first.',
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
    `${name}: ${resealed} re-encrypted, ${upToDate} up to date`,
    ...unopened.map(
      ({ companyId, id }) =>
        `${name}: ${id} of ${companyId} cannot be decrypted with any key in the settings`,
    ),
  ];
}

/** The next step of the procedure in docs/operations.md. */
function describeNext({ oldKeyId, kinds }: RotationResult, oldKey: string): string[] {
  if (kinds.some(({ unopened }) => unopened.length > 0))
    return ['Find the master key of these rows, set it as the old key, and run the command again.'];
  if (!oldKeyId) return ['No old master key is set. The change is complete.'];
  return [
    'Next: every merchant takes their new API key from a login. Wait 48 hours, until stored responses have expired.',
    `Then ${oldKey}, and restart the service.`,
  ];
}

function describeResult(result: RotationResult, oldKey: string): string[] {
  const { keyId, companies, kinds } = result;
  const unopened = kinds.reduce((sum, kind) => sum + kind.unopened.length, 0);
  const verdict =
    unopened === 0
      ? `Everything is encrypted with the master key ${keyId} (companies: ${companies}).`
      : `${unopened} could not be re-encrypted (companies: ${companies}).`;
  return [...kinds.flatMap(describeKind), verdict, ...describeNext(result, oldKey)];
}

type RotationOptions = { createsKey: boolean; isOldKeyLost: boolean };

async function rotate(
  db: Database,
  config: Config,
  { createsKey, isOldKeyLost }: RotationOptions,
): Promise<[RotationResult, string]> {
  const { keyFilesOf, readMasterKeys } = await import('../master-key.ts');
  const { openKeyring } = await import('../base/keyring.ts');
  const { reencryptAll } = await import('../rotate-master-key.ts');
  const { allowCurrentKey, revokeOldKeys, requireMasterKey } = await import('../check-master-key.ts');
  const existing = readMasterKeys(config);
  // Check first: a wrong key must not become the old key.
  if (existing && !isOldKeyLost) await requireMasterKey(db, existing);
  const keys = await chooseKeys(config, createsKey);
  const keyring = await openKeyring(keys.current, keys.old);
  // No other process can have an embedded database open.
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
  summary: 'Re-encrypt the stored secrets with the current master key',
  details:
    'This is one step of changing the master key, see docs/operations.md. On a PostgreSQL server you can run it\n' +
    'beside the service, and again after an interruption. The exit code is 1 if a row cannot be decrypted.',
  options: [
    {
      name: 'make',
      help: 'first create a new master key in the data folder, if there is none; only for the embedded database',
    },
    {
      name: 'lost',
      help: 'the key of the database is lost: switch to the one in the settings; rows of the lost key stay unreadable',
    },
  ],
  examples: ['admin rotate-master-key', 'admin rotate-master-key --make'],
  run: async ({ terminal, env }, given): Promise<ExitCode> => {
    const { withDatabase } = await import('./settings.ts');
    const [result, oldKey] = await withDatabase(
      env,
      async (db, config) =>
        await rotate(db, config, { createsKey: given.has('make'), isOldKeyLost: given.has('lost') }),
    );
    terminal.report({ json: result, lines: describeResult(result, oldKey) });
    return result.kinds.some(({ unopened }) => unopened.length > 0) ? exitCodes.found : exitCodes.ok;
  },
};
