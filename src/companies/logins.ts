// Which account an email address logs in to: in one database by its own table, in several by the directory, where an
// address is claimed before its login is written. Must not: let two companies have one address, whatever is interrupted.

import { ApiError } from '../base/errors.ts';
import {
  type Claim,
  type DirectoryLogin,
  deleteDirectoryLogins,
  findDirectoryLogin,
  findDirectoryLogins,
  hasDirectoryLogin,
  insertDirectoryLogin,
  isFreshClaim,
  type NewDirectoryLogin,
  renewDirectoryLogins,
  replaceDirectoryLogin,
} from '../cells/directory-store.ts';
import { hasAnyElsewhere } from '../cells/home-store.ts';
import { isStatementError } from '../db/connection.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { CompanyUnavailableError, isUnavailable } from '../db/outage.ts';
import {
  findLogin,
  findLogins,
  hasAnyLogin,
  isMemberEmail,
  type Login,
  listLogins,
} from './account-store.ts';
import { hasAnyCompany } from './store.ts';

/** Thrown when an email address already has a login; nothing was written. */
export class EmailTaken extends Error {
  override readonly name = 'EmailTaken';
}

/** The account of an address in lower case. The account may have been removed since. */
export async function findLoginOf(
  db: Database,
  email: string,
): Promise<{ companyId: string; accountId: string } | null> {
  return await db.inSystem(async (tx) =>
    db.hasDirectory ? await findDirectoryLogin(tx, email) : await findLogin(tx, email),
  );
}

/**
 * Whether the installation is empty. Several databases are asked for companies, because an address in the directory may have
 * been claimed for a company that a crash prevented. While one of them is down, the directory is believed.
 */
export async function isEmpty(db: Database): Promise<boolean> {
  if (!db.hasDirectory) return !(await db.inSystem(hasAnyLogin));
  if (db.downCells().length > 0) return !(await db.inSystem(hasDirectoryLogin));
  // Between a switch and its end, no cell shows the company that was moved.
  for (const cell of db.cells())
    if (await cell.inSystem(async (tx) => (await hasAnyCompany(tx)) || (await hasAnyElsewhere(tx))))
      return false;
  return true;
}

/** Whether a claim was left by a crash: it has no login, and will get none. */
async function isLeft(db: Database, email: string, { companyId, isOld }: DirectoryLogin): Promise<boolean> {
  return isOld && !(await db.inCompany(companyId, async (tx) => await isMemberEmail(tx, email)));
}

/** Claims an address; also one whose claim was left by a crash. Null if it has a login, or may get one. */
async function claim(db: Database, login: NewDirectoryLogin): Promise<Claim | null> {
  const inserted = await db.inSystem(async (tx) => await insertDirectoryLogin(tx, login));
  if (inserted) return inserted;
  const claimed = await db.inSystem(async (tx) => await findDirectoryLogin(tx, login.email));
  if (!claimed || !(await isLeft(db, login.email, claimed))) return null;
  return await db.inSystem(async (tx) => await replaceDirectoryLogin(tx, { from: claimed, to: login }));
}

type LoginsOfCompany = { companyId: string; logins: readonly NewDirectoryLogin[] };

/**
 * Claims the addresses of a company that is imported, in the directory. Returns those that an account of another company
 * has: the caller frees the others then.
 */
export async function claimEmails(db: Database, company: LoginsOfCompany): Promise<string[]> {
  for (const login of company.logins) await claim(db, login);
  // Also those that an interrupted import of the company claimed: their claims may be old.
  return await renewClaims(db, company);
}

/** Makes claims of a company new, so that nobody takes them over for ten minutes. Returns the addresses that it has lost. */
export async function renewClaims(db: Database, { companyId, logins }: LoginsOfCompany): Promise<string[]> {
  const renewed = new Set(await db.inSystem(async (tx) => await renewDirectoryLogins(tx, companyId, logins)));
  return logins.map(({ email }) => email).filter((email) => !renewed.has(email));
}

/** The addresses that an account of another company has, or may get. Claims nothing. */
export async function findTakenEmails(
  db: Database,
  { companyId, logins }: LoginsOfCompany,
): Promise<string[]> {
  const taken: string[] = [];
  for (const { email } of logins) {
    const claimed = await db.inSystem(async (tx) => await findDirectoryLogin(tx, email));
    if (claimed && claimed.companyId !== companyId && !(await isLeft(db, email, claimed))) taken.push(email);
  }
  return taken;
}

/**
 * Whether the transaction that ended with this error surely wrote nothing: it was refused, or there was no database for it. An
 * outage during its commit leaves it open.
 */
const wroteNothing = (error: unknown) =>
  error instanceof ApiError ||
  error instanceof EmailTaken ||
  error instanceof CompanyUnavailableError ||
  (isStatementError(error) && !isUnavailable(error));

/** To be called in the transaction that writes the login. Throws if the claim of the address is too old by then. */
export type RequireClaim = (tx: TenantTx) => Promise<void>;

/** Runs work that writes the login of an address, which is claimed for it. Throws EmailTaken. */
export async function withClaimedEmail<T>(
  db: Database,
  login: NewDirectoryLogin,
  work: (requireClaim: RequireClaim) => Promise<T>,
): Promise<T> {
  if (!db.hasDirectory) return await work(async () => undefined);
  const claimed = await claim(db, login);
  if (!claimed) throw new EmailTaken('this email address already has an account');
  try {
    return await work(async (tx) => {
      if (!(await isFreshClaim(tx, claimed)))
        throw new CompanyUnavailableError('the claim of the email address is too old');
    });
  } catch (error) {
    // After a lost connection the login may exist. A claim without a login ends by itself.
    if (wroteNothing(error)) await freeEmails(db, login).catch(() => undefined);
    throw error;
  }
}

/** A login of a cell, and what the directory has instead: nothing, or another account. */
export type UnlistedLogin = { login: Login; listed: DirectoryLogin | null };

/**
 * Finds the logins of a cell, or of one company in it, that the directory lacks or gives to another account; page by page. The
 * other direction is not compared: an address in the directory without a login harms nobody, and can be claimed.
 */
export async function* findUnlistedLogins(
  directory: Database,
  cell: Database,
  companyId: string | null = null,
): AsyncGenerator<UnlistedLogin[]> {
  for (let after = ''; ; ) {
    const page = await cell.inSystem(async (tx) => await listLogins(tx, { after, companyId }));
    const last = page.at(-1);
    if (!last) return;
    after = last.email;
    const emails = page.map(({ email }) => email);
    const listed = await directory.inSystem(async (tx) => await findDirectoryLogins(tx, emails));
    const byEmail = new Map(listed.map((entry) => [entry.email, entry]));
    const unlisted = page.filter((login) => !isSameAccount(byEmail.get(login.email), login));
    if (unlisted.length === 0) continue;
    // A member who was removed meanwhile has lost the login first, and then the address.
    const wanted = unlisted.map(({ email }) => email);
    const still = await cell.inSystem(async (tx) => await findLogins(tx, wanted));
    const kept = new Map(still.map((login) => [login.email, login]));
    yield unlisted
      .filter((login) => isSameAccount(kept.get(login.email), login))
      .map((login) => ({ login, listed: byEmail.get(login.email) ?? null }));
  }
}

type Account = { companyId: string; accountId: string };
const isSameAccount = (one: Account | undefined, other: Account) =>
  one?.companyId === other.companyId && one.accountId === other.accountId;

/** Frees the addresses of an account, after its logins were deleted. */
export async function freeEmails(
  db: Database,
  account: { companyId: string; accountId: string },
): Promise<void> {
  if (!db.hasDirectory) return;
  await db.inSystem(async (tx) => await deleteDirectoryLogins(tx, account));
}
