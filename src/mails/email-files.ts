// The folder that mails are written into without an SMTP server: what is a month old is removed, as its row is. It must
// never touch a file that no mail was written into.

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** As long as a mail that was sent is kept in the database. */
export const retentionDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

/** A mail, or one whose writing broke off. */
const fileOfMail = /^mail_[\w-]+\.eml(\.new)?$/;

/** Removes the files of mails that are 30 days old by the file system's clock. Returns how many; none without a folder. */
export async function removeOldEmailFiles(folder: string, now: Date): Promise<number> {
  let removed = 0;
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => fileOfMail.test(each))) {
    const file = join(folder, name);
    // Another process of the same folder may have removed it meanwhile.
    const written = await stat(file).catch(() => null);
    if (!written?.isFile() || now.getTime() - written.mtimeMs < retentionDays * dayMs) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  return removed;
}
