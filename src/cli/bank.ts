// `paylink bank`: imports bank statements, and lists and resolves what needs a person.

import { openAsBlob } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { BankLine, BankRefund, BankStatement } from '../../sdk/src/index.ts';
import { money } from './amounts.ts';
import { type CliClient, clientCommand, collect, reasonOf } from './client.ts';
import { type Command, fieldsOf, type ParsedArguments } from './command.ts';
import { usageError } from './command-error.ts';
import { type Column, formatFields, formatTable } from './table.ts';

/** A file of 100 MB takes a while to upload and import. */
const importLimits = { timeoutMs: 600_000, deadlineMs: 900_000, maxRetries: 1 };
const pollIntervalMs = 1_000;
/** How often the command polls until all lines are matched. The service matches the rest later. */
const maxPolls = 120;
const maxShown = 200;

async function openFile(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch (error) {
    throw usageError(`${path} could not be read (${reasonOf(error)}).`);
  }
}

/** When all its lines are matched, or after the last poll. */
async function waitUntilMatched(client: CliClient, imported: BankStatement): Promise<BankStatement> {
  let statement = imported;
  for (let polls = 0; statement.matching > 0 && polls < maxPolls; polls++) {
    await pause(pollIntervalMs);
    statement = await client.bank.getStatement(imported.statementId);
  }
  return statement;
}

const lineColumns: readonly Column<BankLine>[] = [
  { title: 'LINE', text: ({ id }) => id },
  { title: 'BOOKED', text: ({ bookedOn }) => bookedOn ?? '' },
  {
    title: 'AMOUNT',
    isRight: true,
    text: ({ direction, amount, currency }) => `${direction === 'debit' ? '-' : ''}${amount} ${currency}`,
  },
  { title: 'NAME', isShrinkable: true, text: ({ counterpartyName }) => counterpartyName ?? '' },
  { title: 'REASON', text: ({ reason }) => reason ?? '' },
  {
    title: 'SUGGESTED',
    text: ({ suggestion }) => (suggestion ? `${suggestion.reference} (${suggestion.customerOrderId})` : ''),
  },
];
const refundColumns: readonly Column<BankRefund>[] = [
  { title: 'REFUND', text: ({ refundId }) => refundId },
  { title: 'AMOUNT', isRight: true, text: ({ amount, currency }) => money(amount, currency) },
  { title: 'NAME', isShrinkable: true, text: ({ name }) => name ?? '' },
  { title: 'IBAN', text: ({ iban }) => iban ?? '' },
  { title: 'REFERENCE', text: ({ reference }) => reference },
];

const describeStatement = async (statement: BankStatement, isNew: boolean) =>
  await formatFields([
    ['Statement', `${statement.statementId}${isNew ? '' : ' (already imported; nothing was changed)'}`],
    ['Lines', statement.lines],
    ['Duplicates', statement.duplicates],
    ['No status', statement.statusAssumed ? `${statement.statusAssumed}, assumed from the file type` : null],
    [
      'Preliminary',
      statement.kind === 'camt.052' ? 'a camt.052 books nothing; import the camt.053 of the day' : null,
    ],
    ['Matched', statement.matched],
    ['To review', statement.waiting],
    ['No payments', statement.ignored],
    ['Not matched yet', statement.matching || null],
  ]);

const importCommand = clientCommand({
  name: 'bank import',
  summary: 'Import a bank statement file',
  details:
    'Accepts camt.053, camt.054 and camt.052. It imports the whole file or nothing. Importing a file again changes\n' +
    'nothing. It waits until the lines are matched, and lists those that you must review.',
  arguments: [{ name: 'FILE', help: 'the unchanged file from your bank' }],
  examples: ['bank import statement.xml'],
  run: async ({ client, given, terminal }) => {
    const file = await openFile(given.argument('FILE'));
    const { isNew, ...imported } = await client.bank.importStatement(file, importLimits);
    const statement = await waitUntilMatched(client, imported);
    const query = { statementId: statement.statementId, status: 'review' } as const;
    const { data } = await collect((page) => client.bank.listLines({ ...query, ...page }).page(), {
      max: maxShown,
    });
    const table = data.length > 0 ? ['', ...(await formatTable(data, lineColumns, terminal.width))] : [];
    return {
      json: { ...statement, isNew, review: data },
      lines: [...(await describeStatement(statement, isNew)), ...table],
    };
  },
});

const list = clientCommand({
  name: 'bank list',
  summary: 'List the statement lines to review and the refunds to send',
  examples: ['bank list', 'bank list --json'],
  run: async ({ client, terminal }) => {
    const max = { max: maxShown };
    const lines = await collect((page) => client.bank.listLines({ status: 'review', ...page }).page(), max);
    const refunds = await collect(
      (page) => client.bank.listRefunds({ status: 'waiting', ...page }).page(),
      max,
    );
    const { width } = terminal;
    return {
      json: { lines: lines.data, refunds: refunds.data },
      lines: [
        ...(lines.data.length > 0
          ? await formatTable(lines.data, lineColumns, width)
          : ['No lines to review.']),
        '',
        ...(refunds.data.length > 0
          ? await formatTable(refunds.data, refundColumns, width)
          : ['No refunds to send.']),
      ],
      notes: (lines.nextCursor ?? refunds.nextCursor) ? [`There are more than the ${maxShown} shown.`] : [],
    };
  },
});

function noteOf(given: ParsedArguments): string {
  const note = given.text('note');
  if (note === undefined) throw usageError('Give the reason with --note.');
  return note;
}

async function resolve(client: CliClient, given: ParsedArguments): Promise<{ id: string; status: string }> {
  const id = given.argument('ID');
  if (['match', 'dismiss', 'sent', 'not-sent'].filter((name) => given.has(name)).length !== 1)
    throw usageError('Give exactly one of --match REFERENCE, --dismiss, --sent and --not-sent.');
  if (given.has('sent') || given.has('not-sent')) {
    const outcome = given.has('sent') ? 'sent' : 'not_sent';
    const { refundId, status } = await client.bank.resolveRefund(id, { outcome, note: noteOf(given) });
    return { id: refundId, status };
  }
  if (given.has('dismiss'))
    return await client.bank.resolveLine(id, { action: 'dismiss', note: noteOf(given) });
  const match = { action: 'match', reference: given.required('match') } as const;
  return await client.bank.resolveLine(id, { ...match, ...fieldsOf(given, { note: 'note' }) });
}

const resolveCommand = clientCommand({
  name: 'bank resolve',
  summary: 'Match or dismiss a statement line, or report whether a refund was sent',
  arguments: [{ name: 'ID', help: 'the line (bln_…) or the refund (ref_…)' }],
  options: [
    {
      name: 'match',
      value: 'REFERENCE',
      help: 'match the line with the transfer or refund with this reference',
    },
    { name: 'dismiss', help: 'dismiss the line: it needs no action' },
    { name: 'sent', help: 'the refund was sent' },
    { name: 'not-sent', help: 'the refund will not be sent' },
    { name: 'note', value: 'TEXT', help: 'the reason; required except with --match' },
  ],
  examples: [
    'bank resolve bln_01m7wf3wswavyweszg1v4e9mnn --match RF032348231402348231',
    "bank resolve bln_01m7wf3wswavyweszg1v4e9mnn --dismiss --note 'rent of the office'",
  ],
  run: async ({ client, given }) => {
    const resolved = await resolve(client, given);
    return { json: resolved, lines: [`${resolved.id} is ${resolved.status}.`] };
  },
});

export const bankCommands: readonly Command[] = [importCommand, list, resolveCommand];
