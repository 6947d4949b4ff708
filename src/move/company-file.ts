// The file of an exported company: one JSON document a line. The first line describes the file, each further line is a row
// `[table, row as PostgreSQL's text]` in an order in which the rows can be inserted, and the last line has their number, the
// SHA-256 of all lines before it, and the MAC of that. docs/decisions/0039-moving-one-company.md. Must not: hold the whole
// file in memory, or accept one that was not written with a master key of the settings.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isEqualSecret, type Keyring } from '../base/keyring.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { TableSummary } from './verify-copy.ts';

const formatVersion = 1;

/** Of a table: its name, its columns with their types, and its rows of the company. */
export type ExportedTable = TableSummary & { name: string; shape: string };

export type CompanyFileHeader = {
  companyId: string;
  exportedAt: string;
  /** The version of Paylink that wrote it. */
  version: string;
  /** The last migration of the database that it comes from, such as `0035_import`. */
  lastMigration: string;
  /** The IDs of the master keys with which its secrets may be encrypted. */
  keyIds: readonly string[];
  /** The number that a transaction must have at least to come after the rows, and after the cursors that clients hold. */
  number: string;
  /** What its ledger and hash chain had already where it was exported. */
  faults: readonly string[];
  tables: readonly ExportedTable[];
};

/** What proves the file, and names it for the operator. */
export type CheckedCompanyFile = CompanyFileHeader & { sha256: string };

type End = { rows: number; sha256: string; mac: string };

/** A longer line is not of an export: a value in PostgreSQL has at most 1 GB, and those of Paylink are far smaller. */
const maxLineBytes = 64 * 1024 * 1024;

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export type RowWriter = (table: string, lines: readonly string[]) => Promise<void>;

const endOf = (keyring: Keyring, { rows, sha256 }: { rows: number; sha256: string }): End => ({
  rows,
  sha256,
  mac: keyring.mac('company-file', sha256).toString('hex'),
});

/**
 * Writes a new file, which has its name only when it is complete, readable by its owner alone. Returns its SHA-256. Throws an
 * OperatorError if the file exists or cannot be written.
 */
export async function writeCompanyFile(
  { path, keyring, header }: { path: string; keyring: Keyring; header: CompanyFileHeader },
  writeRows: (write: RowWriter) => Promise<void>,
): Promise<string> {
  const unfinished = `${path}.unfinished`;
  const hash = createHash('sha256');
  let rows = 0;
  const file = await openNew(path, unfinished);
  const write = async (text: string) => {
    try {
      await file.writeFile(text);
    } catch (error) {
      throw new OperatorError(`The file ${unfinished} could not be written: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  };
  const writeHashed = async (text: string) => {
    hash.update(text);
    await write(text);
  };
  try {
    await writeHashed(`${JSON.stringify({ paylinkCompany: formatVersion, ...header })}\n`);
    await writeRows(async (table, lines) => {
      rows += lines.length;
      await writeHashed(lines.map((line) => `${JSON.stringify([table, line])}\n`).join(''));
    });
    const sha256 = hash.digest('hex');
    await write(`${JSON.stringify(endOf(keyring, { rows, sha256 }))}\n`);
    await file.sync();
    await file.close();
    await refuseExisting(path);
    await rename(unfinished, path);
    await flushFolder(path);
    return sha256;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function refuseExisting(path: string): Promise<void> {
  const existing = await stat(path).catch(() => null);
  if (existing) throw new OperatorError(`The file ${path} exists already: name another one.`);
}

async function openNew(path: string, unfinished: string) {
  await refuseExisting(path);
  try {
    // Left by a run that was killed.
    await rm(unfinished, { force: true });
    return await open(unfinished, 'wx', 0o600);
  } catch (error) {
    throw new OperatorError(`The file ${path} cannot be written: ${reasonOf(error)}.`, { cause: error });
  }
}

async function flushFolder(path: string): Promise<void> {
  // Windows cannot flush a folder and need not.
  if (process.platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
  await folder.sync();
  await folder.close();
}

/** Nothing is in the error that a log should not have: the file has personal data. */
const damaged = (path: string, what: string) =>
  new OperatorError(`The file ${path} is not a complete export of a company: ${what}. Export it again.`);

/** The lines of a file with their ends. Throws an OperatorError if it cannot be read, or its last line has no end. */
async function* readLines(path: string): AsyncGenerator<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        yield Buffer.concat([...parts, chunk.subarray(from, end + 1)]);
        parts.length = 0;
        length = 0;
        from = end + 1;
      }
      parts.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > maxLineBytes) throw damaged(path, 'a line is too long');
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new OperatorError(`The file ${path} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
  if (length > 0) throw damaged(path, 'its last line is cut off');
}

function parseLine(path: string, line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    throw damaged(path, 'a line is not JSON');
  }
}

function readHeader(path: string, line: Buffer): CompanyFileHeader {
  const header = parseLine(path, line) as (CompanyFileHeader & { paylinkCompany?: unknown }) | null;
  const format = header?.paylinkCompany;
  if (!header || typeof format !== 'number') throw damaged(path, 'its first line does not describe one');
  const { keyIds, version, tables } = header;
  if (format !== formatVersion)
    throw new OperatorError(
      `The file ${path} has the format ${format}, and this version of Paylink reads the format ${formatVersion}: ` +
        `upgrade this installation to ${/^[\w.+-]{1,40}$/.test(version) ? version : 'the version'}, which wrote the file.`,
    );
  // Nothing has proved the file yet.
  const isKeyId = (keyId: unknown) => typeof keyId === 'string' && /^[0-9a-f]+$/.test(keyId);
  if (!Array.isArray(tables) || !Array.isArray(keyIds) || !keyIds.every(isKeyId))
    throw damaged(path, 'its first line does not describe one');
  return header;
}

function requireKeys(path: string, { keyIds }: CompanyFileHeader, keyring: Keyring): void {
  const missing = keyIds.filter((keyId) => keyId !== keyring.keyId && keyId !== keyring.oldKeyId);
  if (missing.length === 0) return;
  throw new OperatorError(
    `The file ${path} was exported with the master key named ${missing.join(' and ')}, which is not in the settings: ` +
      'set it as PAYLINK_OLD_MASTER_KEY here, for the service, too, as "Moving one company" in docs/operations.md describes.',
  );
}

/**
 * Reads the whole file once: complete, unchanged, and written with a master key of the keyring. Returns its first line with its
 * SHA-256. Throws an OperatorError otherwise.
 */
export async function checkCompanyFile(path: string, keyring: Keyring): Promise<CheckedCompanyFile> {
  const hash = createHash('sha256');
  let header: CompanyFileHeader | null = null;
  let last: Buffer | null = null;
  let lines = 0;
  for await (const line of readLines(path)) {
    if (last) {
      header ??= readHeader(path, last);
      hash.update(last);
    }
    last = line;
    lines += 1;
  }
  if (!last) throw damaged(path, 'it is empty');
  // A file of one line: of another program, or cut off.
  header ??= readHeader(path, last);
  const end = parseLine(path, last) as Partial<End> | null;
  if (typeof end?.sha256 !== 'string' || typeof end.mac !== 'string')
    throw damaged(path, 'its end is missing');
  const sha256 = hash.digest('hex');
  // The first line and the last one are no rows.
  if (end.rows !== lines - 2 || end.sha256 !== sha256) throw damaged(path, 'its checksum is wrong');
  requireKeys(path, header, keyring);
  const macs = keyring.acceptedMacs('company-file', sha256).map((mac) => mac.toString('hex'));
  if (!macs.some((mac) => isEqualSecret(mac, end.mac ?? '')))
    throw damaged(path, 'somebody without the master key has written it');
  return { ...header, sha256 };
}

/**
 * The rows of a checked file in its order, at most `size` of one table at a time. Throws an OperatorError at the end if the file
 * is no longer the checked one.
 */
export async function* readCompanyFile(
  path: string,
  { sha256, size }: { sha256: string; size: number },
): AsyncGenerator<{ table: string; lines: string[] }> {
  const hash = createHash('sha256');
  let batch: { table: string; lines: string[] } | null = null;
  let last: Buffer | null = null;
  for await (const line of readLines(path)) {
    if (last) hash.update(last);
    last = line;
    const parsed = parseLine(path, line);
    // The first line and the last one are no rows.
    if (!Array.isArray(parsed)) continue;
    const [table, text] = parsed as [string, string];
    if (batch && (batch.table !== table || batch.lines.length >= size)) {
      yield batch;
      batch = null;
    }
    batch ??= { table, lines: [] };
    batch.lines.push(text);
  }
  if (batch) yield batch;
  if (hash.digest('hex') !== sha256) throw damaged(path, 'it was changed while it was read');
}
