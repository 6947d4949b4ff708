// The SQL of logos: the small PNG in the row of the company, and uploaded files in a table of their own.

import type { TenantTx } from '../db/database.ts';
import { first, type RowOf, statement, t, type ValueOf } from '../db/statements.ts';

const updateLogoSql = statement({ logoHash: t.nullable(t.text) })`
  update companies set
    logo = $2,
    logo_ratio = picture_ratio(
      coalesce((select l.content from company_logos l where l.company_id = $1 and l.variant = 'light'), $2))
  where company_id = $1
  returning logo_hash as "logoHash"`;

/** Replaces the logo; null removes it. Returns its hash. */
export async function updateLogo(tx: TenantTx, logo: Buffer | null): Promise<string | null> {
  const [row] = await tx.query(updateLogoSql, [tx.companyId, logo]);
  return row?.logoHash ?? null;
}

export const Logo = { bytes: t.excludingNull(t.bytea), hash: t.excludingNull(t.text) };
export type Logo = RowOf<typeof Logo>;

const findSmallLogoSql = statement(Logo)`
  select logo as bytes, logo_hash as hash from companies where company_id = $1 and logo is not null`;

/** The small PNG in the settings. Null if the company has none. */
export async function findSmallLogo(tx: TenantTx): Promise<Logo | null> {
  return first(await tx.query(findSmallLogoSql, [tx.companyId]));
}

export const logoVariant = t.oneOf('light', 'dark');
export type LogoVariant = ValueOf<typeof logoVariant>;

export const logoType = t.oneOf('image/png', 'image/svg+xml');
export type LogoType = ValueOf<typeof logoType>;

export const LogoFile = { contentType: logoType, content: t.bytea, fileName: t.text };
export type LogoFile = RowOf<typeof LogoFile>;

/** The columns of a company with the name of a file. */
export type LogoNames = { logoFile: string | null; darkLogoFile: string | null };

const LogoNamesRow = { logoFile: t.nullable(t.text), darkLogoFile: t.nullable(t.text) };

const updateNamesSql = statement(LogoNamesRow)`
  update companies set
    logo_file = (select l.file_name from company_logos l where l.company_id = $1 and l.variant = 'light'),
    dark_logo_file = (select l.file_name from company_logos l where l.company_id = $1 and l.variant = 'dark'),
    logo_ratio = picture_ratio(
      coalesce((select l.content from company_logos l where l.company_id = $1 and l.variant = 'light'), logo))
  where company_id = $1
  returning logo_file as "logoFile", dark_logo_file as "darkLogoFile"`;

/** The row of the company has the names, so that a page reads no other row. */
async function updateNames(tx: TenantTx): Promise<LogoNames> {
  const [names] = await tx.query(updateNamesSql, [tx.companyId]);
  if (!names) throw new Error('the company of the logo does not exist');
  return names;
}

export async function replaceLogoFile(
  tx: TenantTx,
  { variant, contentType, content }: Pick<LogoFile, 'contentType' | 'content'> & { variant: LogoVariant },
): Promise<LogoNames> {
  await tx.query(
    `insert into company_logos (company_id, variant, content_type, content) values ($1, $2, $3, $4)
     on conflict (company_id, variant) do update set content_type = excluded.content_type, content = excluded.content`,
    [tx.companyId, variant, contentType, content],
  );
  return await updateNames(tx);
}

export async function deleteLogoFiles(tx: TenantTx, variants: readonly LogoVariant[]): Promise<LogoNames> {
  await tx.query('delete from company_logos where company_id = $1 and variant = any($2)', [
    tx.companyId,
    variants,
  ]);
  return await updateNames(tx);
}

const findLogoFileSql = statement(LogoFile)`
  select ${LogoFile} from company_logos where company_id = $1 and file_name = $2 limit 1`;

/** The uploaded file of this name. */
export async function findLogoFile(tx: TenantTx, fileName: string): Promise<LogoFile | null> {
  return first(await tx.query(findLogoFileSql, [tx.companyId, fileName]));
}

const findPngLogoSql = statement(Logo)`
  select coalesce(l.content, c.logo) as bytes, left(coalesce(l.file_name, c.logo_hash), 16) as hash
  from companies c
    left join company_logos l on l.company_id = c.company_id and l.variant = 'light' and l.content_type = 'image/png'
  where c.company_id = $1 and (l.content is not null or c.logo is not null)`;

/**
 * The logo as a PNG, for emails and PDF files, which cannot show SVG: the uploaded file if it is one, else the small PNG in
 * the settings. Null if the company has neither.
 */
export async function findLogo(tx: TenantTx): Promise<Logo | null> {
  return first(await tx.query(findPngLogoSql, [tx.companyId]));
}
