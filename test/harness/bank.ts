// A merchant with a bank account, customers who order transfers, and the bank's statements as camt files.

import assert from 'node:assert/strict';
import { pay } from '../../src/attempts/pay.ts';
import { readAttempt } from '../../src/attempts/refresh-attempt.ts';
import { listMethods } from '../../src/connections/list-methods.ts';
import { findTransfer, type Transfer } from '../../src/processors/bank-transfer/transfer-store.ts';
import {
  type Answer,
  type Credentials,
  call,
  createLinkAs,
  credentialHeaders,
  type Json,
  readAnswer,
} from './client.ts';
import type { Paylink } from './paylink.ts';
import { testMerchant } from './test-merchant.ts';

export const ownIban = 'DE02120300000000202051';
export const customerIban = 'DE02500105170137075030';

/** A line of a statement; omitted fields have typical values. */
export type StatementEntry = {
  amount: string;
  currency?: string;
  direction?: 'CRDT' | 'DBIT';
  isReversal?: boolean;
  returnReason?: string;
  status?: 'BOOK' | 'PDNG';
  /** The bank's reference, if any. */
  bankReference?: string | null;
  bookedOn?: string;
  text?: string;
  structured?: string;
  name?: string;
  iban?: string;
};

let lastReference = 0;
export function nextBankReference(): string {
  lastReference += 1;
  return `BANK${String(lastReference).padStart(8, '0')}`;
}

const tag = (name: string, content: string) => `<${name}>${content}</${name}>`;
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function writeLine(line: StatementEntry): string {
  const { amount, currency = 'EUR', direction = 'CRDT', status = 'BOOK', bookedOn = '2026-11-20' } = line;
  const { name = 'Ada Lovelace', iban = customerIban, text, structured } = line;
  const bankReference = line.bankReference === undefined ? nextBankReference() : line.bankReference;
  const [party, account] = direction === 'CRDT' ? ['Dbtr', 'DbtrAcct'] : ['Cdtr', 'CdtrAcct'];
  const remittance =
    (text === undefined ? '' : tag('Ustrd', escapeXml(text))) +
    (structured === undefined ? '' : tag('Strd', tag('CdtrRefInf', tag('Ref', structured))));
  const details = tag(
    'TxDtls',
    tag('Refs', tag('EndToEndId', 'NOTPROVIDED')) +
      `<Amt Ccy="${currency}">${amount}</Amt>${tag('CdtDbtInd', direction)}` +
      tag(
        'RltdPties',
        tag(party, tag('Pty', tag('Nm', escapeXml(name)))) + tag(account, tag('Id', tag('IBAN', iban))),
      ) +
      (remittance === '' ? '' : tag('RmtInf', remittance)) +
      (line.returnReason === undefined ? '' : tag('RtrInf', tag('Rsn', tag('Cd', line.returnReason)))),
  );
  return tag(
    'Ntry',
    `<Amt Ccy="${currency}">${amount}</Amt>${tag('CdtDbtInd', direction)}` +
      (line.isReversal ? tag('RvslInd', 'true') : '') +
      tag('Sts', tag('Cd', status)) +
      tag('BookgDt', tag('Dt', bookedOn)) +
      (bankReference === null ? '' : tag('AcctSvcrRef', bankReference)) +
      tag(
        'BkTxCd',
        tag('Domn', tag('Cd', 'PMNT') + tag('Fmly', tag('Cd', 'RCDT') + tag('SubFmlyCd', 'ESCT'))),
      ) +
      tag('NtryDtls', details),
  );
}

export type StatementFile = { kind?: '052' | '053' | '054'; iban?: string; messageId?: string };

const messages = {
  '052': ['BkToCstmrAcctRpt', 'Rpt'],
  '053': ['BkToCstmrStmt', 'Stmt'],
  '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;

export function* writeStatement(lines: Iterable<StatementEntry>, file: StatementFile = {}): Iterable<string> {
  const { kind = '053', iban = ownIban, messageId = `MSG-${nextBankReference()}` } = file;
  const [root, part] = messages[kind];
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.08">`;
  yield `<${root}>${tag('GrpHdr', tag('MsgId', messageId) + tag('CreDtTm', '2026-11-21T06:00:00Z'))}`;
  yield `<${part}>${tag('Id', messageId)}${tag('CreDtTm', '2026-11-21T06:00:00Z')}`;
  yield tag('Acct', tag('Id', tag('IBAN', iban)) + tag('Ccy', 'EUR'));
  for (const line of lines) yield writeLine(line);
  yield `</${part}></${root}></Document>\n`;
}

export function statementOf(lines: Iterable<StatementEntry>, file: StatementFile = {}): string {
  return [...writeStatement(lines, file)].join('');
}

export async function sendStatement(
  at: Pick<Paylink, 'baseUrl'>,
  credentials: Partial<Credentials>,
  body: string | Blob | ReadableStream,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const streamed = body instanceof ReadableStream ? { duplex: 'half' as const } : {};
  const response = await fetch(`${at.baseUrl}/v1/bank-statements`, {
    method: 'POST',
    headers: { 'content-type': 'application/xml', ...credentialHeaders(credentials), ...headers },
    body,
    ...streamed,
  });
  return await readAnswer(response);
}

export async function connectBank(
  at: Pick<Paylink, 'baseUrl'>,
  credentials: Credentials,
  settings: Record<string, string> = {},
): Promise<string> {
  const body = {
    processor: 'bank_transfer',
    credentials: { holder: 'Café Zürich GmbH', iban: ownIban, ...settings },
  };
  const answer = await call(at, credentials, ['POST', '/v1/processor-connections'], body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return String(answer.body.id);
}

export type OrderedTransfer = { code: string; attemptId: string; reference: string; transfer: Transfer };

/** Creates a link whose customer chooses bank transfer. */
export async function orderTransfer(
  paylink: Paylink,
  credentials: Credentials,
  fields: Json = {},
): Promise<OrderedTransfer> {
  const { code } = await createLinkAs(paylink, credentials, fields);
  return await chooseTransfer(paylink, credentials.companyId, code);
}

export async function chooseTransfer(
  paylink: Paylink,
  companyId: string,
  code: string,
): Promise<OrderedTransfer> {
  const { deps } = paylink.app;
  const due = { mode: 'test', currency: 'EUR', amountMinor: 1999 } as const;
  const [methods] = await deps.db.inTenant(
    { companyId, mode: 'test' },
    async (tx) => await listMethods(tx, deps.processors, { amountsDue: [due], now: deps.clock.now() }),
  );
  const method = methods?.find(({ kind }) => kind.takes === 'transfer');
  assert.ok(method, 'bank transfer is offered');
  const current = await pay(deps, {
    mode: 'test',
    companyId,
    code,
    method,
    card: null,
    merchant: testMerchant,
    locale: 'en',
    pageLocale: 'en',
  });
  const attemptId = current?.attempt?.attemptId ?? '';
  const transfer = await deps.db.inTenant(
    { companyId, mode: 'test' },
    async (tx) => await findTransfer(tx, attemptId),
  );
  assert.ok(transfer && current?.payment.state === 'processing');
  return { code, attemptId, reference: transfer.reference, transfer };
}

/** The payment instructions of the processor for an attempt. */
export async function instructionsFor(paylink: Paylink, companyId: string, { attemptId }: OrderedTransfer) {
  const { deps } = paylink.app;
  const known = await readAttempt(deps, { mode: 'test', companyId, attemptId });
  assert.ok(known);
  const { openProcessor } = await import('../../src/connections/open-connection.ts');
  const processor = await openProcessor(deps, { companyId, ...known.attempt });
  return await processor.instruct(known.request);
}

/** A refund that waits to be sent by hand. */
export const spareBankRefund = async ({
  paylink,
  credentials,
}: {
  paylink: Paylink;
  credentials: Credentials;
}) => {
  await connectBank(paylink, credentials);
  const { code, reference } = await orderTransfer(paylink, credentials, { amount: 7 });
  await sendStatement(paylink, credentials, statementOf([{ amount: '7.00', text: reference }]));
  const path = `/v1/payments/${code}/refunds`;
  const { body } = await call(paylink, credentials, ['POST', path], { amount: 2 });
  return { refundId: String(body.refundId) };
};
