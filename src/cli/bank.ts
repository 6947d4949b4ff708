// `paylink bank`: import a bank's statement, see what waits for a person, and say what it is about. Through the
// API, like every command for merchants: a file goes from the disk to the service as it is.

import { openAsBlob } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { BankLine, BankRefund, BankStatement } from '../../sdk/src/index.ts';
import { type CliClient, collect, openClient, reasonOf } from './client.ts';
import type { Command, ParsedArguments } from './command.ts';
import { exitCodes, usageError } from './fault.ts';
import { money } from './pay.ts';
import { profileOption } from './session.ts';
import { type Column, formatFields, formatTable } from './table.ts';

/** A file of 100 MB takes a while to send, to read twice, and to write down. */
const importLimits = { timeoutMs: 600_000, deadlineMs: 900_000, maxRetries: 1 };
const pollIntervalMs = 1_000;
/** How long a person waits for lines to be matched; whatever is left is matched without them. */
const maxPolls = 120;
const mostShown = 200;

async function openFile(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch (error) {
    throw usageError(`${path} could not be read (${reasonOf(error)}).`);
  }
}

/** The statement once all of its lines are matched, or as it stands when that takes too long. */
async function untilMatched(client: CliClient, imported: BankStatement): Promise<BankStatement> {
  let statement = imported;
  for (let polls = 0; statement.matching > 0 && polls < maxPolls; polls++) {
    await pause(pollIntervalMs);
    statement = await client.bank.getStatement(imported.id);
  }
  return statement;
}

const lineColumns: readonly Column[] = [
  { title: 'LINE' },
  { title: 'BOOKED' },
  { title: 'AMOUNT', isRight: true },
  { title: 'WHO', mayShrink: true },
  { title: 'REASON' },
  { title: 'SUGGESTED' },
];
const describeLine = (line: BankLine) => [
  line.id,
  line.bookedOn ?? '',
  `${line.direction === 'debit' ? '-' : ''}${line.amount} ${line.currency}`,
  line.counterpartyName ?? '',
  line.reason ?? '',
  line.suggestion ? `${line.suggestion.reference} (${line.suggestion.customerOrderId})` : '',
];
const refundColumns: readonly Column[] = [
  { title: 'REFUND' },
  { title: 'AMOUNT', isRight: true },
  { title: 'TO', mayShrink: true },
  { title: 'IBAN' },
  { title: 'REFERENCE' },
];
const describeRefund = (refund: BankRefund) => [
  refund.refundId,
  money(refund.amount, refund.currency),
  refund.name ?? '',
  refund.iban ?? '',
  refund.reference,
];

const importCommand: Command = {
  name: 'bank import',
  summary: 'Import a bank statement, as the bank gave it',
  details:
    'A file of camt.053, camt.054 or camt.052. All of it is imported, or nothing; the same file again changes nothing.\n' +
    'Ends when its lines are matched, and lists those that wait for a person.',
  arguments: [{ name: 'FILE', help: 'the file as the bank gave it', isRequired: true }],
  options: [profileOption],
  examples: ['bank import statement.xml'],
  run: async (context, given) => {
    const { terminal } = context;
    const file = await openFile(given.argument('FILE'));
    const client = await openClient(context, given);
    const { isNew, ...imported } = await client.bank.importStatement(file, importLimits);
    const statement = await untilMatched(client, imported);
    const query = { statementId: statement.id, state: 'review' } as const;
    const waiting = await collect((page) => client.bank.listLines({ ...query, ...page }).page(), {
      most: mostShown,
    });
    const fields: [string, string][] = [
      ['Statement', `${statement.id}${isNew ? '' : ' (imported before: nothing was done)'}`],
      ['Lines', String(statement.lines)],
      ['Told before', String(statement.duplicates)],
      ...(statement.statusAssumed > 0
        ? [
            ['No status', `${statement.statusAssumed}, taken for what this kind of file means`] as [
              string,
              string,
            ],
          ]
        : []),
      ...(statement.kind === 'camt.052'
        ? [
            ['Preliminary', 'nothing of a camt.052 is booked; import the camt.053 of the day'] as [
              string,
              string,
            ],
          ]
        : []),
      ['Matched', String(statement.matched)],
      ['Wait for you', String(statement.waiting)],
      ['No payments', String(statement.ignored)],
      ...(statement.matching > 0 ? [['Still to match', String(statement.matching)] as [string, string]] : []),
    ];
    const rows = waiting.data.map(describeLine);
    terminal.report({
      json: { ...statement, isNew, review: waiting.data },
      lines: [
        ...(await formatFields(fields)),
        ...(rows.length > 0 ? ['', ...(await formatTable(lineColumns, rows, terminal.width))] : []),
      ],
    });
    return exitCodes.ok;
  },
};

const list: Command = {
  name: 'bank list',
  summary: 'List what waits for a person: lines of statements, and refunds to send',
  options: [profileOption],
  examples: ['bank list', 'bank list --json'],
  run: async (context, given) => {
    const { terminal } = context;
    const client = await openClient(context, given);
    const most = { most: mostShown };
    const lines = await collect((page) => client.bank.listLines({ state: 'review', ...page }).page(), most);
    const refunds = await collect(
      (page) => client.bank.listRefunds({ state: 'waiting', ...page }).page(),
      most,
    );
    const lineRows = lines.data.map(describeLine);
    const refundRows = refunds.data.map(describeRefund);
    terminal.report({
      json: { lines: lines.data, refunds: refunds.data },
      lines: [
        ...(lineRows.length > 0
          ? await formatTable(lineColumns, lineRows, terminal.width)
          : ['No line waits.']),
        '',
        ...(refundRows.length > 0
          ? await formatTable(refundColumns, refundRows, terminal.width)
          : ['No refund is to be sent.']),
      ],
    });
    if ((lines.nextCursor ?? refunds.nextCursor) && !terminal.isJson)
      terminal.note(`There are more; this shows ${mostShown} of each.`);
    return exitCodes.ok;
  },
};

function noteOf(given: ParsedArguments): string {
  const note = given.text('note');
  if (note === undefined) throw usageError('Say why, with --note.');
  return note;
}

async function resolve(client: CliClient, given: ParsedArguments): Promise<{ id: string; status: string }> {
  const id = given.argument('ID');
  const reference = given.text('match');
  const words = [reference !== undefined, given.has('dismiss'), given.has('sent'), given.has('not-sent')];
  if (words.filter(Boolean).length !== 1)
    throw usageError('Say one of --match REFERENCE, --dismiss, --sent and --not-sent.');
  if (given.has('sent') || given.has('not-sent')) {
    const outcome = given.has('sent') ? 'sent' : 'not_sent';
    const { refundId, status } = await client.bank.resolveRefund(id, { outcome, note: noteOf(given) });
    return { id: refundId, status };
  }
  if (reference === undefined)
    return await client.bank.resolveLine(id, { action: 'dismiss', note: noteOf(given) });
  const note = given.text('note');
  const word = { action: 'match', reference, ...(note === undefined ? {} : { note }) } as const;
  return await client.bank.resolveLine(id, word);
}

const resolveCommand: Command = {
  name: 'bank resolve',
  summary: 'Say what a line is about, or what became of a refund',
  arguments: [{ name: 'ID', help: 'the line (bln_…) or the refund (ref_…)', isRequired: true }],
  options: [
    {
      name: 'match',
      value: 'REFERENCE',
      help: 'the line belongs to the transfer, or refund, of this reference',
    },
    { name: 'dismiss', help: 'nothing is to be done about the line' },
    { name: 'sent', help: 'the refund was sent' },
    { name: 'not-sent', help: 'the refund will not be sent' },
    { name: 'note', value: 'TEXT', help: 'why; all but --match need it' },
    profileOption,
  ],
  examples: [
    'bank resolve bln_01m7wf3wswavyweszg1v4e9mnn --match RF032348231402348231',
    "bank resolve bln_01m7wf3wswavyweszg1v4e9mnn --dismiss --note 'rent of the office'",
  ],
  run: async (context, given) => {
    const resolved = await resolve(await openClient(context, given), given);
    context.terminal.report({ json: resolved, lines: [`${resolved.id} is ${resolved.status}.`] });
    return exitCodes.ok;
  },
};

export const bankCommands: readonly Command[] = [importCommand, list, resolveCommand];
