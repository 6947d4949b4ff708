// The folder that emails are written to without an SMTP server. An email is removed after 30 days, like its row. Must
// not touch a file that is no email.

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** As long as a sent email stays in the database. */
export const retentionDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

/** An email, or one whose writing was interrupted. */
const fileOfMail = /^mail_[\w-]+\.eml(\.new)?$/;

/**
 * Removes the files of emails that are 30 days old by the file system's clock. Returns how many; 0 without a folder.
 */
export async function removeOldEmailFiles(folder: string, now: Date): Promise<number> {
  let removed = 0;
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => fileOfMail.test(each))) {
    const file = join(folder, name);
    // Another process with the same folder may have removed it meanwhile.
    const written = await stat(file).catch(() => null);
    if (!written?.isFile() || now.getTime() - written.mtimeMs < retentionDays * dayMs) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  return removed;
}
