// Routes of the ledger: balances and entries. They change nothing.

import { type Static, Type } from 'typebox';
import { readIdRange } from '../base/id-bound.ts';
import { toMajorNumber, toMajorSum } from '../base/money.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { listCodes, requirePaymentId } from '../events/payment-codes.ts';
import { principalOf, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { responses } from '../http/openapi.ts';
import { listSchema, pageParameters, paginate, parsePage, querySchema } from '../http/page-query.ts';
import { exampleCode } from '../http/schema-parts.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import { listBalances } from './list-balances.ts';
import { type EntryRange, type LedgerEntry, listEntries, listEntriesOfPayment } from './list-entries.ts';
import { postingRules } from './post-entry.ts';

export type LedgerRouteDeps = { db: Database; verifyCredentials: VerifyCredentials };

const secured = describeSecuredRoutes('ledger');
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
    description: 'Every account with postings, in each of its currencies',
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
  from: moment('Posted at this time or later; RFC 3339'),
  to: moment('Posted before this time; RFC 3339'),
  PaymentLinkCode: Type.Optional(Type.String({ maxLength: 64, description: 'Only entries of this payment' })),
  sort: Type.Optional(
    Type.String({
      enum: ['CreatedOn', '-CreatedOn'],
      description: 'Oldest first (the default) or newest first',
      examples: ['-CreatedOn'],
    }),
  ),
  ...pageParameters,
});
type EntryQuery = Static<typeof EntryQuery>;

const EntryList = listSchema(
  Type.Object(
    {
      entryId: Type.String({ description: 'ID of the entry' }),
      kind: Type.String({
        enum: Object.keys(postingRules),
      }),
      debitAccount: LedgerAccountSchema,
      creditAccount: LedgerAccountSchema,
      amount: Type.Number({ description: 'The amount, in major units' }),
      currency: Type.String({ description: 'ISO 4217 code' }),
      PaymentLinkCode: Type.String({ description: 'The payment of the entry' }),
      sourceId: Type.String({ description: 'The attempt (att_…) or refund (ref_…) whose money moved' }),
      CreatedOn: Type.String({ description: 'When it was posted; RFC 3339, UTC' }),
    },
    { title: 'LedgerEntry' },
  ),
  {
    description: 'Ledger entries, oldest first by default',
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

function presentEntry(entry: LedgerEntry, codes: ReadonlyMap<string, string>) {
  const { amountMinor, paymentId, at, ...shown } = entry;
  return {
    ...shown,
    amount: toMajorNumber(amountMinor, entry.currency),
    PaymentLinkCode: codes.get(paymentId) ?? '',
    CreatedOn: at.toISOString(),
  };
}

/** Registers the routes. */
export function registerLedgerRoutes(app: HttpServer, deps: LedgerRouteDeps): void {
  app.get(
    '/v1/balances',
    secured(deps, 'balances:read', {
      operationId: 'listBalances',
      summary: 'List the balances of the ledger accounts',
      response: responses(BalanceList),
    }),
    async (request) => {
      const balances = await deps.db.inTenant(principalOf(request), listBalances);
      const data = balances.map(({ balanceMinor, ...account }) => ({
        ...account,
        balance: toMajorSum(balanceMinor, account.currency),
      }));
      return { data, nextCursor: null };
    },
  );
  app.get(
    '/v1/ledger/entries',
    secured(deps, 'balances:read', {
      operationId: 'listLedgerEntries',
      summary: 'List the ledger entries',
      querystring: EntryQuery,
      response: responses(EntryList, ['paymentNotFound', 'invalidFields']),
    }),
    async (request) => await readEntries(deps, principalOf(request), request.query),
  );
}

async function readEntries(deps: LedgerRouteDeps, scope: TenantScope, query: EntryQuery) {
  const { companyId } = scope;
  const { fromId, beforeId } = readIdRange('led', query);
  const { PaymentLinkCode: code } = query;
  const isNewestFirst = query.sort === '-CreatedOn';
  const page = parsePage(query, ['ledger-entries', companyId, fromId, beforeId, code ?? null, isNewestFirst]);
  const [place] = page.place ?? [];
  const bounds = isNewestFirst
    ? { afterId: fromId, beforeId: place ?? beforeId }
    : { afterId: place ?? fromId, beforeId };
  return await deps.db.inTenant(scope, async (tx) => {
    const range: EntryRange = { ...bounds, limit: page.limit + 1, isNewestFirst };
    const found =
      code === undefined
        ? await listEntries(tx, range)
        : await listEntriesOfPayment(tx, await requirePaymentId(tx, code), range);
    const { shown, nextCursor } = paginate(found, page, ({ entryId }) => [entryId]);
    const codes = await listCodes(
      tx,
      shown.map(({ paymentId }) => paymentId),
    );
    return { data: shown.map((entry) => presentEntry(entry, codes)), nextCursor };
  });
}
