// Which account an email address logs in to: in one database by its own table, in several by the directory, where an
// address is claimed before its login is written. Must not: let two companies have one address, whatever is interrupted.

import { ApiError } from '../base/errors.ts';
import {
  type DirectoryLogin,
  deleteDirectoryLogins,
  findDirectoryLogin,
  hasDirectoryLogin,
  insertDirectoryLogin,
  type NewDirectoryLogin,
  replaceDirectoryLogin,
} from '../cells/directory-store.ts';
import { isStatementError } from '../db/connection.ts';
import type { Database } from '../db/database.ts';
import { isUnavailable } from '../db/outage.ts';
import { findLogin, hasAnyLogin, isMemberEmail } from './account-store.ts';

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

/** Whether any login exists. Without one, the installation is empty. */
export async function isWithoutLogins(db: Database): Promise<boolean> {
  return !(await db.inSystem(db.hasDirectory ? hasDirectoryLogin : hasAnyLogin));
}

/** Whether a claim was left by a crash: it has no login, and will get none. */
async function isLeft(db: Database, email: string, { companyId, isOld }: DirectoryLogin): Promise<boolean> {
  return isOld && !(await db.inCompany(companyId, async (tx) => await isMemberEmail(tx, email)));
}

/** Claims an address; also one whose claim was left by a crash. False if it has a login, or may get one. */
async function claim(db: Database, login: NewDirectoryLogin): Promise<boolean> {
  if (await db.inSystem(async (tx) => await insertDirectoryLogin(tx, login))) return true;
  const claimed = await db.inSystem(async (tx) => await findDirectoryLogin(tx, login.email));
  if (!claimed || !(await isLeft(db, login.email, claimed))) return false;
  return await db.inSystem(async (tx) => await replaceDirectoryLogin(tx, { from: claimed, to: login }));
}

/**
 * Claims the addresses of a company that is imported, in the directory. Returns those that an account of another company
 * has: the caller frees the others then. `isRehearsal`: only looks.
 */
export async function claimEmails(
  db: Database,
  logins: readonly NewDirectoryLogin[],
  isRehearsal: boolean,
): Promise<string[]> {
  const taken: string[] = [];
  for (const login of logins) {
    if (!isRehearsal && (await claim(db, login))) continue;
    const claimed = await db.inSystem(async (tx) => await findDirectoryLogin(tx, login.email));
    // An import that was interrupted has claimed them, too.
    if (claimed && claimed.companyId !== login.companyId && !(await isLeft(db, login.email, claimed)))
      taken.push(login.email);
  }
  return taken;
}

/** Whether the transaction that ended with this error surely wrote nothing. An outage during its commit leaves it open. */
const wroteNothing = (error: unknown) =>
  error instanceof ApiError ||
  error instanceof EmailTaken ||
  (isStatementError(error) && !isUnavailable(error));

/** Runs work that writes the login of an address, which is claimed for it. Throws EmailTaken. */
export async function withClaimedEmail<T>(
  db: Database,
  login: NewDirectoryLogin,
  work: () => Promise<T>,
): Promise<T> {
  if (!db.hasDirectory) return await work();
  if (!(await claim(db, login))) throw new EmailTaken('this email address already has an account');
  try {
    return await work();
  } catch (error) {
    // After a lost connection the login may exist. A claim without a login ends by itself.
    if (wroteNothing(error)) await freeEmails(db, login).catch(() => undefined);
    throw error;
  }
}

/** Frees the addresses of an account, after its logins were deleted. */
export async function freeEmails(
  db: Database,
  account: { companyId: string; accountId: string },
): Promise<void> {
  if (!db.hasDirectory) return;
  await db.inSystem(async (tx) => await deleteDirectoryLogins(tx, account));
}
