// Imports a bank statement: validates it, then writes all its bookings, which are due to be matched, in one
// transaction. Importing a file again changes nothing; a booking that another file contained is not written twice.

import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { listTransferIbans } from '../processors/bank-transfer/transfer-store.ts';
import type { Mode } from '../processors/processor.ts';
import { createLineClassifier } from './classify-lines.ts';
import { readStatement } from './read-camt.ts';
import type { Spool } from './spool.ts';
import { StatementError, type StatementHeader, type StatementLine, statementLimits } from './statement.ts';
import {
  type BankStatement,
  findStatementOfFile,
  insertLines,
  insertStatement,
  lockImports,
  type NewLine,
} from './store.ts';

export type ImportDeps = { db: Database; clock: Clock };

export type ImportInput = {
  companyId: string;
  mode: Mode;
  /** The same for each repetition of a request, so that its response is found again. */
  statementId: string;
  file: Spool;
  createdBy: string;
};

export type StatementImport = { statement: BankStatement; isNew: boolean };

const batchSize = 500;

/** How long an import waits for another one of the same company, and how often it checks. */
const maxLockAttempts = 60;
const lockRetryDelayMs = 250;

function refuse(fault: StatementError): never {
  const where = fault.line === null ? '' : `Line ${fault.line}: `;
  throw errors.statementRefused({
    detail: `${where}${fault.detail}`.slice(0, 500),
    errors: [{ field: 'body', code: fault.code, detail: fault.detail.slice(0, 500) }],
  });
}

type FileSummary = { header: StatementHeader; lineCount: number; assumedCount: number };

/** Reads the whole file. Throws `statement_refused` with the reason. */
async function checkFile(file: Spool): Promise<FileSummary> {
  let header: StatementHeader | null = null;
  let lineCount = 0;
  let assumedCount = 0;
  try {
    for await (const part of readStatement(file.read(), statementLimits)) {
      if (part.part === 'header') header = part;
      if (part.part !== 'line') continue;
      lineCount += 1;
      if (part.isStatusAssumed) assumedCount += 1;
    }
  } catch (error) {
    if (error instanceof StatementError) refuse(error);
    throw error;
  }
  if (!header) throw new Error('a complete statement has no header');
  return { header, lineCount, assumedCount };
}

async function* linesOf(file: Spool): AsyncIterable<StatementLine> {
  for await (const part of readStatement(file.read(), statementLimits)) if (part.part === 'line') yield part;
}

/** Writes the bookings of a file in batches. Returns how many were new. */
async function writeLines(tx: TenantTx, input: ImportInput, at: Date): Promise<number> {
  const classifyLine = createLineClassifier(new Set(await listTransferIbans(tx, input.mode)));
  let newCount = 0;
  let batch: NewLine[] = [];
  const flush = async () => {
    newCount += await insertLines(tx, { ...input, at }, batch);
    batch = [];
  };
  for await (const line of linesOf(input.file)) {
    batch.push(classifyLine(line, newId('bln', at)));
    if (batch.length === batchSize) await flush();
  }
  if (batch.length > 0) await flush();
  return newCount;
}

async function write(
  deps: ImportDeps,
  tx: TenantTx,
  input: ImportInput,
  contents: FileSummary,
): Promise<StatementImport> {
  const at = deps.clock.now();
  const { mode, statementId, file, createdBy } = input;
  const { header, lineCount, assumedCount } = contents;
  const newCount = await writeLines(tx, input, at);
  const statement = await insertStatement(tx, {
    statementId,
    mode,
    sha256: file.sha256,
    kind: header.kind,
    version: header.version,
    messageId: header.messageId.slice(0, 200),
    byteCount: file.byteCount,
    lineCount,
    duplicateCount: lineCount - newCount,
    assumedCount,
    createdBy,
    createdAt: at,
  });
  if (!statement) throw new Error('a file was imported despite the lock');
  const data = { statementId, mode, lineCount, newCount };
  await appendEvent(tx, { type: 'bank.imported', isPublic: false, actor: createdBy, data, at });
  return { statement, isNew: true };
}

/** Returns the statement of an earlier import of the same file. Throws `statement_refused`, `import_in_progress`. */
export async function importStatement(deps: ImportDeps, input: ImportInput): Promise<StatementImport> {
  const { mode, file } = input;
  const find = async (tx: TenantTx) => await findStatementOfFile(tx, mode, file.sha256);
  const known = await deps.db.inTenant(input, find);
  if (known) return { statement: known, isNew: false };
  const contents = await checkFile(file);
  for (let attempts = 0; attempts < maxLockAttempts; attempts++) {
    const imported = await deps.db.inTenant(input, async (tx) => {
      if (!(await lockImports(tx))) return null;
      const existing = await find(tx);
      return existing ? { statement: existing, isNew: false } : await write(deps, tx, input, contents);
    });
    if (imported) return imported;
    await pause(lockRetryDelayMs);
  }
  throw errors.importInProgress({ headers: { 'retry-after': '30' } });
}
