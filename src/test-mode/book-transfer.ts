// A bank statement with one booking about a payment by bank transfer, imported and matched as a merchant's file is.

import { createHash, randomUUID } from 'node:crypto';
import { toAttemptRequest } from '../attempts/attempt-request.ts';
import { importAndMatch } from '../bank/match-lines.ts';
import type { Spool } from '../bank/spool.ts';
import { errors, invalidField } from '../base/errors.ts';
import { type Currency, parseAmount, toDecimalText } from '../base/money.ts';
import { openProcessor } from '../connections/open-connection.ts';
import type { PayDeps } from '../payments/deps.ts';
import type { TransferInstructions } from '../processors/processor.ts';
import type { ClockDeps } from './advance-clock.ts';
import { payByMethod, requireView, type TestOrder } from './pay-with-test-card.ts';

export type BookingDeps = PayDeps & ClockDeps;

/** `amount` in major units; without it, what is still due. `isReturn`: the bank takes it back, which needs a review. */
export type Booking = { statementId: string; amount?: number; isReturn: boolean };

const tag = (name: string, content: string) => `<${name}>${content}</${name}>`;

/** A camt.053 file with one booking. All parts are our own texts without special characters. */
function writeStatement(
  { iban, reference, currency }: TransferInstructions,
  { amount, isReturn, at }: { amount: string; isReturn: boolean; at: Date },
): string {
  const id = randomUUID().replaceAll('-', '');
  const money = `<Amt Ccy="${currency}">${amount}</Amt>${tag('CdtDbtInd', isReturn ? 'DBIT' : 'CRDT')}`;
  const details = tag(
    'NtryDtls',
    tag(
      'TxDtls',
      tag('Refs', tag('EndToEndId', 'NOTPROVIDED')) +
        money +
        tag('RmtInf', tag('Strd', tag('CdtrRefInf', tag('Ref', reference)))),
    ),
  );
  const entry = tag(
    'Ntry',
    money +
      tag('Sts', tag('Cd', 'BOOK')) +
      tag('BookgDt', tag('Dt', at.toISOString().slice(0, 10))) +
      tag('AcctSvcrRef', id) +
      tag(
        'BkTxCd',
        tag('Domn', tag('Cd', 'PMNT') + tag('Fmly', tag('Cd', 'RCDT') + tag('SubFmlyCd', 'ESCT'))),
      ) +
      details,
  );
  const account = tag('Acct', tag('Id', tag('IBAN', iban)) + tag('Ccy', currency));
  const created = tag('CreDtTm', at.toISOString());
  const body =
    tag('GrpHdr', tag('MsgId', id) + created) + tag('Stmt', tag('Id', id) + created + account + entry);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">${tag('BkToCstmrStmt', body)}</Document>\n`;
}

/** The text as an uploaded file. */
function spoolOf(text: string): Spool {
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest();
  return {
    byteCount: bytes.length,
    sha256,
    read: async function* () {
      yield bytes;
    },
    close: async () => undefined,
    toJSON: () => sha256.toString('hex'),
  };
}

/** The details of the live transfer, which the customer chooses if the payment is open. */
async function instruct(
  deps: BookingDeps,
  order: TestOrder,
  isPaying: boolean,
): Promise<TransferInstructions> {
  if (!isPaying) await payByMethod(deps, order, { processor: 'bank_transfer', card: null });
  const { payment, attempt, company: merchant } = await requireView(deps, order);
  const isTransfer = payment.state === 'processing' && attempt?.processor === 'bank_transfer';
  const processor = isTransfer && (await openProcessor(deps, { companyId: order.companyId, ...attempt }));
  const instructions =
    processor && (await processor.instruct(toAttemptRequest(deps.baseUrl, { payment, attempt, merchant })));
  if (instructions) return instructions;
  throw errors.stateNotReachable({ detail: 'The customer is not paying by bank transfer.' });
}

function readAmount(amount: number, currency: Currency): string {
  const parsed = parseAmount(String(amount), currency);
  if ('amountMinor' in parsed) return toDecimalText(parsed.amountMinor, currency);
  throw invalidField('amount', parsed.fault, 'This must be a valid amount in the currency of the payment.');
}

/** Books money of a customer who pays by bank transfer. Throws `state_not_reachable`. */
export async function bookTransfer(deps: BookingDeps, order: TestOrder, booking: Booking): Promise<void> {
  const { payment } = await requireView(deps, order);
  const wanted = booking.amount === undefined ? null : readAmount(booking.amount, payment.currency);
  const instructions = await instruct(deps, order, payment.state === 'processing');
  const { companyId, mode, actor: createdBy } = order;
  const { statementId, isReturn } = booking;
  const amount = wanted ?? toDecimalText(instructions.dueMinor, instructions.currency);
  const text = writeStatement(instructions, { amount, isReturn, at: deps.clock.now() });
  await importAndMatch(deps, { companyId, mode, statementId, file: spoolOf(text), createdBy });
}
