// Routes of the ledger: balances and entries. They change nothing.

import { type Static, Type } from 'typebox';
import { errors, type FieldError } from '../base/errors.ts';
import { readIdBound } from '../base/id-bound.ts';
import { companyOfLinkCode, firstIdAt } from '../base/ids.ts';
import { toMajorNumber, toMajorSum } from '../base/money.ts';
import type { Database, TenantScope, TenantTx } from '../db/database.ts';
import { findPaymentId, listCodes } from '../events/payment-codes.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, security } from '../http/openapi.ts';
import { listSchema, pageParameters, paginate, parsePage, querySchema } from '../http/page-query.ts';
import { checkRight } from '../http/roles.ts';
import { exampleCode } from '../http/schema-parts.ts';
import { type LedgerBalance, listBalances } from './list-balances.ts';
import { type EntryRange, type LedgerEntry, listEntries, listEntriesOfPayment } from './list-entries.ts';

export type LedgerRouteDeps = { db: Database; verifyCredentials: VerifyCredentials };

const common = { security, tags: ['ledger'] };
const accounts = ['processor', 'merchant', 'refunds', 'fees', 'suspense'];
const LedgerAccountSchema = Type.String({ enum: accounts });

const BalanceList = listSchema(
  Type.Object(
    {
      account: LedgerAccountSchema,
      currency: Type.String({ description: 'ISO 4217 code' }),
      balance: Type.Number({ description: 'Debits less credits, in major units' }),
    },
    { title: 'Balance' },
  ),
  {
    description: 'Each account that was ever posted to, in each of its currencies',
    examples: [
      {
        data: [
          { account: 'merchant', currency: 'EUR', balance: -19.99 },
          { account: 'processor', currency: 'EUR', balance: 19.99 },
        ],
        nextCursor: null,
      },
    ],
  },
);

const moment = (description: string) =>
  Type.Optional(Type.String({ description, examples: ['2026-01-01T00:00:00Z'] }));
const EntryQuery = querySchema({
  from: moment('Posted at this moment or later; RFC 3339'),
  to: moment('Posted before this moment; RFC 3339'),
  PaymentLinkCode: Type.Optional(
    Type.String({ maxLength: 64, description: 'Entries of this payment alone' }),
  ),
  sort: Type.Optional(
    Type.String({
      enum: ['CreatedOn', '-CreatedOn'],
      description: 'Oldest first, as without it, or newest first',
      examples: ['-CreatedOn'],
    }),
  ),
  ...pageParameters,
});
type EntryQuery = Static<typeof EntryQuery>;

const EntryList = listSchema(
  Type.Object(
    {
      entryId: Type.String({ description: 'Identification of the entry' }),
      kind: Type.String({
        enum: [
          'capture',
          'refund',
          'surplus',
          'surplus_refund',
          'refund_reversal',
          'surplus_refund_reversal',
        ],
      }),
      debitAccount: LedgerAccountSchema,
      creditAccount: LedgerAccountSchema,
      amount: Type.Number({ description: 'What moved, in major units' }),
      currency: Type.String({ description: 'ISO 4217 code' }),
      PaymentLinkCode: Type.String({ description: 'The payment that it belongs to' }),
      sourceId: Type.String({ description: 'The attempt (att_…) or refund (ref_…) whose money moved' }),
      CreatedOn: Type.String({ description: 'When it was posted; RFC 3339, UTC' }),
    },
    { title: 'LedgerEntry' },
  ),
  {
    description: 'Entries of the ledger, oldest first unless asked for otherwise',
    examples: [
      {
        data: [
          {
            entryId: 'led_01m7wf3wswavyweszg1v4e9mnq',
            kind: 'capture',
            debitAccount: 'processor',
            creditAccount: 'merchant',
            amount: 19.99,
            currency: 'EUR',
            PaymentLinkCode: exampleCode,
            sourceId: 'att_01m7wf3wswavyweszg1v4e9mnp',
            CreatedOn: '2026-11-20T12:55:31.002Z',
          },
        ],
        nextCursor: null,
      },
    ],
  },
);

function presentBalance({ account, currency, balanceMinor }: LedgerBalance) {
  return { account, currency, balance: toMajorSum(balanceMinor, currency) };
}

function presentEntry(entry: LedgerEntry, codes: ReadonlyMap<string, string>) {
  return {
    entryId: entry.entryId,
    kind: entry.kind,
    debitAccount: entry.debitAccount,
    creditAccount: entry.creditAccount,
    amount: toMajorNumber(entry.amountMinor, entry.currency),
    currency: entry.currency,
    PaymentLinkCode: codes.get(entry.paymentId) ?? '',
    sourceId: entry.sourceId,
    CreatedOn: entry.at.toISOString(),
  };
}

/** Registers the routes. */
export function registerLedgerRoutes(app: HttpServer, deps: LedgerRouteDeps): void {
  const onRequest = [requireCredentials(deps.verifyCredentials), checkRight('balances:read')];
  app.get(
    '/v1/balances',
    {
      onRequest,
      schema: {
        ...common,
        operationId: 'listBalances',
        summary: 'What the accounts of the ledger come to',
        response: { 200: BalanceList, ...problemResponses(['roleNotAllowed']) },
      },
    },
    async (request) => {
      const balances = await deps.db.inTenant(principalOf(request), listBalances);
      return { data: balances.map(presentBalance), nextCursor: null };
    },
  );
  app.get(
    '/v1/ledger/entries',
    {
      onRequest,
      schema: {
        ...common,
        operationId: 'listLedgerEntries',
        summary: 'The movements of money behind the balances',
        querystring: EntryQuery,
        response: {
          200: EntryList,
          ...problemResponses(['roleNotAllowed', 'paymentNotFound', 'invalidFields']),
        },
      },
    },
    async (request) => await readEntries(deps, principalOf(request), request.query),
  );
}

/** Greater than every entry ID: the largest time that an ID can hold. */
const afterAllIds = firstIdAt('led', new Date(2 ** 50 - 1));

async function readEntries(deps: LedgerRouteDeps, scope: TenantScope, query: EntryQuery) {
  const { companyId } = scope;
  const faults: FieldError[] = [];
  const from = readIdBound('led', 'from', query.from, faults) ?? '';
  const below = readIdBound('led', 'to', query.to, faults) ?? afterAllIds;
  if (faults.length > 0) throw errors.invalidFields({ errors: faults });
  const { PaymentLinkCode: code } = query;
  const isNewestFirst = query.sort === '-CreatedOn';
  const page = parsePage(query, ['ledger-entries', companyId, from, below, code ?? null, isNewestFirst]);
  const [place] = page.place ?? [];
  const bounds = isNewestFirst ? { above: from, below: place ?? below } : { above: place ?? from, below };
  return await deps.db.inTenant(scope, async (tx) => {
    const found = await listWanted(tx, { ...bounds, limit: page.limit + 1, isNewestFirst }, code);
    const { shown, nextCursor } = paginate(found, page, ({ entryId }) => [entryId]);
    const codes = await listCodes(
      tx,
      shown.map(({ paymentId }) => paymentId),
    );
    return { data: shown.map((entry) => presentEntry(entry, codes)), nextCursor };
  });
}

async function listWanted(tx: TenantTx, range: EntryRange, code: string | undefined): Promise<LedgerEntry[]> {
  if (code === undefined) return await listEntries(tx, range);
  const paymentId = companyOfLinkCode(code) === tx.companyId ? await findPaymentId(tx, code) : null;
  if (paymentId === null) throw errors.paymentNotFound();
  return await listEntriesOfPayment(tx, paymentId, range);
}
