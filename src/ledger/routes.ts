// Routes of the ledger: balances and entries. They change nothing.

import { type Static, Type } from 'typebox';
import { readIdRange } from '../base/id-bound.ts';
import { toMajorNumber, toMajorSum } from '../base/money.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { listCodes, requirePaymentId } from '../events/payment-codes.ts';
import { principalOf, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { responses } from '../http/openapi.ts';
import {
  createdRangeOf,
  eitherOf,
  listSchema,
  pageParameters,
  paginate,
  parsePage,
  querySchema,
} from '../http/page-query.ts';
import { exampleCode, formerName, moment } from '../http/schema-parts.ts';
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

const bound = (description: string) =>
  Type.String({ description: `${description}; RFC 3339`, examples: ['2026-01-01T00:00:00Z'] });
const createdFrom = bound('Posted at this time or later');
const createdTo = bound('Posted before this time');
const ofPayment = Type.String({ maxLength: 64, description: 'Only entries of this payment' });
const EntryQuery = querySchema({
  createdFrom: Type.Optional(createdFrom),
  createdTo: Type.Optional(createdTo),
  paymentLinkCode: Type.Optional(ofPayment),
  from: Type.Optional(formerName(createdFrom, 'createdFrom')),
  to: Type.Optional(formerName(createdTo, 'createdTo')),
  PaymentLinkCode: Type.Optional(formerName(ofPayment, 'paymentLinkCode')),
  sort: Type.Optional(
    Type.String({
      enum: ['createdAt', '-createdAt', 'CreatedOn', '-CreatedOn'],
      description:
        'Oldest first (createdAt, the default) or newest first. CreatedOn and -CreatedOn are deprecated',
      examples: ['-createdAt'],
    }),
  ),
  ...pageParameters,
});
type EntryQuery = Static<typeof EntryQuery>;

const paymentLinkCode = Type.String({ description: 'The payment of the entry' });
const createdAt = moment('When it was posted');
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
      paymentLinkCode,
      PaymentLinkCode: formerName(paymentLinkCode, 'paymentLinkCode'),
      sourceId: Type.String({ description: 'The attempt (att_…) or refund (ref_…) whose money moved' }),
      createdAt,
      CreatedOn: formerName(createdAt, 'createdAt'),
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
            paymentLinkCode: exampleCode,
            PaymentLinkCode: exampleCode,
            sourceId: 'att_01m7wf3wswavyweszg1v4e9mnp',
            createdAt: '2026-11-20T12:55:31.002Z',
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
  const code = codes.get(paymentId) ?? '';
  const postedAt = at.toISOString();
  return {
    ...shown,
    amount: toMajorNumber(amountMinor, entry.currency),
    paymentLinkCode: code,
    PaymentLinkCode: code,
    createdAt: postedAt,
    CreatedOn: postedAt,
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
  const { fromId, beforeId } = readIdRange('led', createdRangeOf(query));
  const code = eitherOf(query, 'paymentLinkCode', 'PaymentLinkCode');
  const isNewestFirst = query.sort?.startsWith('-') === true;
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
