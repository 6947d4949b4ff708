// All SQL of authenticator apps and recovery codes: one exported function per statement.

import type { TenantTx } from '../db/database.ts';
import { first, type RowOf, statement, t } from '../db/statements.ts';

export const SecondFactors = {
  totpConfirmedAt: t.nullable(t.timestamptz),
  passkeyCount: t.int4,
  recoveryCodesLeft: t.int4,
};
export type SecondFactors = RowOf<typeof SecondFactors>;

const readSecondFactorsSql = statement(SecondFactors)`
  select (select confirmed_at from totp_secrets
          where company_id = $1 and account_id = $2) as "totpConfirmedAt",
         (select count(*)::int from passkeys
          where company_id = $1 and account_id = $2) as "passkeyCount",
         (select count(*)::int from recovery_codes
          where company_id = $1 and account_id = $2 and used_at is null) as "recoveryCodesLeft"`;

export async function readSecondFactors(tx: TenantTx, accountId: string): Promise<SecondFactors> {
  const [factors] = await tx.query(readSecondFactorsSql, [tx.companyId, accountId]);
  if (!factors) throw new Error('a query for counts returned no row');
  return factors;
}

export const TotpSecret = { companyId: t.text, accountId: t.text, sealed: t.bytea };
export type TotpSecret = RowOf<typeof TotpSecret>;

/** Stores an unconfirmed secret, in place of an earlier unconfirmed one. False if one is already confirmed. */
export async function insertTotp(
  tx: TenantTx,
  secret: { accountId: string; sealed: Buffer; createdAt: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into totp_secrets as t (company_id, account_id, sealed, created_at) values ($1, $2, $3, $4)
     on conflict (company_id, account_id) do update set sealed = excluded.sealed, created_at = excluded.created_at
       where t.confirmed_at is null
     returning account_id`,
    [tx.companyId, secret.accountId, secret.sealed, secret.createdAt],
  );
  return rows.length === 1;
}

const findTotpSql = statement({ ...TotpSecret, confirmedAt: t.nullable(t.timestamptz) })`
  select company_id as "companyId", account_id as "accountId", sealed, confirmed_at as "confirmedAt"
  from totp_secrets where company_id = $1 and account_id = $2`;

/** Confirmed or not. */
export async function findTotp(
  tx: TenantTx,
  accountId: string,
): Promise<(TotpSecret & { confirmedAt: Date | null }) | null> {
  return first(await tx.query(findTotpSql, [tx.companyId, accountId]));
}

/** Confirms a secret with the code of a step, if it is still the one that was read. */
export async function confirmTotp(
  tx: TenantTx,
  secret: Pick<TotpSecret, 'accountId' | 'sealed'>,
  confirmation: { step: number; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update totp_secrets set confirmed_at = $4, last_step = $5
     where company_id = $1 and account_id = $2 and sealed = $3 and confirmed_at is null returning account_id`,
    [tx.companyId, secret.accountId, secret.sealed, confirmation.at, confirmation.step],
  );
  return rows.length === 1;
}

/** Uses up the code of a step. False if it, or a later one, was used before. */
export async function useTotpStep(tx: TenantTx, accountId: string, step: number): Promise<boolean> {
  const rows = await tx.query(
    `update totp_secrets set last_step = $3
     where company_id = $1 and account_id = $2 and confirmed_at is not null and last_step < $3
     returning account_id`,
    [tx.companyId, accountId, step],
  );
  return rows.length === 1;
}

const deleteTotpSql = statement({ wasOn: t.bool })`
  delete from totp_secrets where company_id = $1 and account_id = $2
  returning confirmed_at is not null as "wasOn"`;

/** Deletes the secret of an account. False if there was no confirmed one. Also deletes an unconfirmed one. */
export async function deleteTotp(tx: TenantTx, accountId: string): Promise<boolean> {
  const [row] = await tx.query(deleteTotpSql, [tx.companyId, accountId]);
  return row?.wasOn ?? false;
}

const lockTotpSecretsSql = statement(TotpSecret)`
  select ${TotpSecret} from totp_secrets
  where company_id = $1 and account_id > $2 order by account_id limit $3 for no key update`;

/** The encrypted secrets in the order of the accounts, after a cursor, locked until the transaction ends. */
export async function lockTotpSecrets(tx: TenantTx, after: string, limit: number): Promise<TotpSecret[]> {
  return await tx.query(lockTotpSecretsSql, [tx.companyId, after, limit]);
}

export async function updateEncryptedTotp(tx: TenantTx, secret: TotpSecret): Promise<void> {
  await tx.query('update totp_secrets set sealed = $3 where company_id = $1 and account_id = $2', [
    tx.companyId,
    secret.accountId,
    secret.sealed,
  ]);
}

export async function insertRecoveryCodes(
  tx: TenantTx,
  codes: { accountId: string; digests: readonly Buffer[]; createdAt: Date },
): Promise<void> {
  await tx.query(
    `insert into recovery_codes (company_id, account_id, code_digest, created_at)
     select $1, $2, digest, $4 from unnest($3::bytea[]) as digest`,
    [tx.companyId, codes.accountId, codes.digests, codes.createdAt],
  );
}

export async function deleteRecoveryCodes(tx: TenantTx, accountId: string): Promise<void> {
  await tx.query('delete from recovery_codes where company_id = $1 and account_id = $2', [
    tx.companyId,
    accountId,
  ]);
}

/** Uses up a code. False if it is unknown, or was used before. */
export async function useRecoveryCode(
  tx: TenantTx,
  code: { accountId: string; digest: Buffer; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update recovery_codes set used_at = $4
     where company_id = $1 and account_id = $2 and code_digest = $3 and used_at is null returning account_id`,
    [tx.companyId, code.accountId, code.digest, code.at],
  );
  return rows.length === 1;
}
