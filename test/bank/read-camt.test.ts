// Statements as banks send them: every sample gives the expected lines, in any chunks.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StatementLine } from '../../src/bank/statement.ts';
import { findReferences } from '../../src/base/creditor-reference.ts';
import { batch, camt053, document, entry, header, readValid } from './camt-files.ts';

const sample = (name: string) => readFileSync(path.join(import.meta.dirname, 'samples', `${name}.xml`));

/** The default fields of a line. */
const plain: Omit<StatementLine, 'position' | 'statementId' | 'accountIban' | 'amountMinor' | 'amountText'> =
  {
    part: 'line',
    direction: 'credit',
    isReversal: false,
    status: 'booked',
    isStatusAssumed: false,
    currency: 'EUR',
    bookedOn: '2026-03-31',
    valueOn: '2026-03-31',
    bankReference: null,
    entryReference: null,
    transactionNumber: 1,
    transactionCount: 1,
    isBatchUnclear: false,
    endToEndId: null,
    transactionId: null,
    structuredReference: null,
    remittance: '',
    counterparty: { name: null, ultimateName: null, iban: null },
    bankTransactionCode: null,
    returnReason: null,
    additionalInfo: null,
  };

test('a German camt.053.001.02 is read in full: a transfer, a returned debit, a pending entry', async () => {
  const { parts } = await readValid(sample('camt053-001-02-de'));
  const place = { ...plain, statementId: '0352C5320260331182005', accountIban: 'DE89370400440532013000' };
  assert.deepEqual(parts, [
    {
      part: 'header',
      kind: 'camt.053',
      version: '001.02',
      messageId: '053D2026-03-31T18:20:05.0N130000013',
      createdAt: '2026-03-31T18:20:05.0+02:00',
    },
    { part: 'statement', statementId: place.statementId, accountIban: place.accountIban, currency: 'EUR' },
    {
      ...place,
      position: 1,
      amountMinor: 24990,
      amountText: '249.90',
      bankReference: '2026033110204411000',
      transactionId: '2026-03-31T11.04.17.102',
      remittance: 'Bestellung 4711, rf18 5390\n0754 7034 danke',
      counterparty: {
        name: 'Jörg Müller & Söhne',
        ultimateName: 'Anna Müller',
        iban: 'DE02120300000000202051',
      },
      bankTransactionCode: 'PMNT-RCDT-ESCT',
      additionalInfo: 'Überweisungsgutschr.',
    },
    {
      ...place,
      position: 2,
      direction: 'debit',
      amountMinor: 5752,
      amountText: '57.52',
      bankReference: '2026033110204411001',
      endToEndId: 'KUNDE-1009-03',
      remittance: 'Kaffee-Abo März',
      // The debit returns her payment: the parties are those of the first movement.
      counterparty: { name: 'Petra Klein', ultimateName: null, iban: 'DE27100777770209299700' },
      bankTransactionCode: 'NRTI+109+901',
      returnReason: 'MD06',
      additionalInfo: 'Rücklastschrift',
    },
    {
      ...place,
      position: 3,
      status: 'pending',
      amountMinor: 120500,
      amountText: '1205.00',
      // In the bank's time zone. In UTC it was still March.
      bookedOn: '2026-04-01',
      valueOn: null,
      additionalInfo: 'vorgemerkt',
    },
  ]);
  assert.deepEqual(findReferences('Bestellung 4711, rf18 5390\n0754 7034 danke'), ['RF18539007547034']);
});

test('a Swiss camt.053.001.08 is read in full: structured reference, reversal, several accounts', async () => {
  const { parts, lines } = await readValid(sample('camt053-001-08-ch'));
  const place = { ...plain, statementId: 'STMT-2026-063', accountIban: 'CH9300762011623852957' };
  assert.deepEqual(
    parts.filter((part) => part.part === 'statement'),
    [
      {
        part: 'statement',
        statementId: 'STMT-2026-063',
        accountIban: 'CH9300762011623852957',
        currency: 'EUR',
      },
      { part: 'statement', statementId: 'STMT-2026-063-CHF', accountIban: null, currency: null },
    ],
  );
  assert.deepEqual(lines, [
    {
      ...place,
      position: 1,
      amountMinor: 8000,
      amountText: '80.00',
      valueOn: '2026-04-01',
      bankReference: '0831000001-1',
      entryReference: '20260331-1',
      endToEndId: 'E2E-80',
      structuredReference: 'RF18539007547034',
      remittance: 'Order 17',
      counterparty: { name: 'Maria Rutschmann', ultimateName: null, iban: 'CH5604835012345678009' },
      bankTransactionCode: 'PMNT-RCDT-AUTT',
    },
    {
      ...place,
      position: 2,
      direction: 'debit',
      isReversal: true,
      amountMinor: 3550,
      amountText: '35.50',
      bankReference: '0831000002',
      entryReference: '20260331-2',
      endToEndId: 'E2E-35',
      remittance: 'Rechnung 88',
      // A reversed credit still names its sender.
      counterparty: { name: 'Pia Keller', ultimateName: null, iban: null },
      bankTransactionCode: 'PMNT-RCDT-RRTN',
      returnReason: 'AC04',
    },
    {
      ...place,
      position: 3,
      status: 'info',
      amountMinor: 1200,
      amountText: '12.00',
      valueOn: null,
      entryReference: '20260331-3',
      bankTransactionCode: 'CWDL',
    },
    {
      ...plain,
      statementId: 'STMT-2026-063-CHF',
      accountIban: null,
      position: 4,
      amountMinor: null,
      amountText: '100.05',
      currency: 'CHF',
      bookedOn: null,
      valueOn: null,
    },
  ]);
});

test('a batch in camt.054.001.02 becomes a line for each transaction, and ISO-8859-1 keeps its umlauts', async () => {
  const { parts, lines } = await readValid(sample('camt054-001-02-de'));
  assert.deepEqual(parts[0], {
    part: 'header',
    kind: 'camt.054',
    version: '001.02',
    messageId: '27632364572',
    createdAt: '2026-03-31T15:30:47.0+02:00',
  });
  const place = {
    ...plain,
    statementId: 'CAMT054-SCT-1',
    accountIban: 'DE89370400440532013000',
    bankReference: 'SAMMEL-77',
    transactionCount: 2,
    bankTransactionCode: 'NTRF+191+931',
  };
  assert.deepEqual(lines, [
    {
      ...place,
      position: 1,
      transactionNumber: 1,
      amountMinor: 6001,
      amountText: '60.01',
      endToEndId: 'A-1',
      remittance: 'RF18539007547034',
      counterparty: { name: 'Björn Weiß', ultimateName: null, iban: 'DE02120300000000202051' },
    },
    {
      ...place,
      position: 2,
      transactionNumber: 2,
      amountMinor: 3999,
      amountText: '39.99',
      endToEndId: 'A-2',
      remittance: 'Bestellung 12',
      counterparty: { name: 'Ida Öztürk', ultimateName: null, iban: null },
    },
  ]);
});

test('a camt.054.001.08 with a prefix: a debit in a batch is subtracted, and a batch that does not add up is one unclear line', async () => {
  const { lines } = await readValid(sample('camt054-001-08-ch'));
  const seen = lines.map((line) => [
    line.bankReference,
    line.direction,
    line.amountText,
    `${line.transactionNumber}/${line.transactionCount}`,
    line.isBatchUnclear,
    line.structuredReference,
    line.remittance,
  ]);
  assert.deepEqual(seen, [
    ['BATCH-9-1', 'credit', '100.00', '1/3', false, null, 'RF712348231\nRF18539007547034'],
    ['BATCH-9-2', 'credit', '70.00', '2/3', false, null, 'Miete & Strom <April>'],
    ['BATCH-9-3', 'debit', '20.00', '3/3', false, null, ''],
    ['BATCH-10', 'credit', '90.00', '1/1', true, null, ''],
    ['FX-11', 'credit', '91.20', '1/1', false, null, 'Invoice 5'],
  ]);
});

test('the parts do not depend on the chunks', async () => {
  for (const name of ['camt053-001-02-de', 'camt054-001-02-de', 'camt053-001-08-ch']) {
    const file = sample(name);
    const { parts } = await readValid(file);
    const lengths = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(lengths, async (cuts) => assert.deepEqual((await readValid(file, cuts)).parts, parts)),
      { numRuns: 40 },
    );
    const single = Array.from({ length: file.length }, () => 1);
    assert.deepEqual((await readValid(file, single)).parts, parts);
  }
});

test('every version from 02 to 13 of all three messages is read', async () => {
  for (let version = 2; version <= 13; version++) {
    const number = String(version).padStart(2, '0');
    for (const [kind, message, statement, status] of [
      ['camt.052', 'BkToCstmrAcctRpt', 'Rpt', 'pending'],
      ['camt.053', 'BkToCstmrStmt', 'Stmt', 'booked'],
      ['camt.054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn', 'booked'],
    ] as const) {
      const sts = version < 7 ? '<Sts>BOOK</Sts>' : '<Sts><Cd>BOOK</Cd></Sts>';
      const inside = `<${message}>${header}<${statement}><Id>S</Id><Acct/>${entry({ Sts: sts })}</${statement}></${message}>`;
      const { parts, lines } = await readValid(
        document(inside, `urn:iso:std:iso:20022:tech:xsd:${kind}.001.${number}`),
      );
      assert.partialDeepStrictEqual(parts[0], { kind, version: `001.${number}` });
      assert.partialDeepStrictEqual(lines, [{ status, isStatusAssumed: false, amountMinor: 1000 }]);
    }
  }
});

test('amounts are exact in every decimal form that the standard allows', async () => {
  const forms = {
    '0.00': 0,
    '0.1': 10,
    '19.99': 1999,
    '5.': 500,
    '.5': 50,
    '+7': 700,
    '007.50': 750,
    '1.10000': 110,
    ' 2.00\n': 200,
    '9999999999999.99': 999_999_999_999_999,
  };
  for (const [text, amountMinor] of Object.entries(forms)) {
    const { lines } = await readValid(camt053(entry({ Amt: `<Amt Ccy="EUR">${text}</Amt>` })));
    assert.equal(lines[0]?.amountMinor, amountMinor, text);
  }
});

test('a batch that adds up gives exactly the booked amount, and a difference of one cent is unclear', async () => {
  const cents = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 2, maxLength: 12 });
  const toText = (amount: number) => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
  await fc.assert(
    fc.asyncProperty(cents, fc.constantFrom(0, 1), async (amounts, off) => {
      const total = amounts.reduce((sum, amount) => sum + amount, off);
      const details = amounts.map((amount) => `<Amt Ccy="EUR">${toText(amount)}</Amt>`);
      const { lines } = await readValid(camt053(batch(toText(total), details)));
      assert.deepEqual(
        lines.map((line) => line.amountMinor),
        off === 0 ? amounts : [total],
      );
      assert.equal(
        lines.some((line) => line.isBatchUnclear),
        off === 1,
      );
      assert.equal(
        lines.reduce((sum, line) => sum + line.amountMinor!, 0),
        total,
      );
    }),
    { numRuns: 60 },
  );
});

test('an entry with missing or smaller transaction amounts is one unclear line', async () => {
  const more = '<NtryDtls><Btch><NbOfTxs>4</NbOfTxs></Btch></NtryDtls>';
  const cases = [
    entry({ more }),
    batch('10.00', ['', '']),
    batch('10.00', ['<Amt Ccy="EUR">9.00</Amt>']),
    batch('10.00', ['<Amt Ccy="EUR">5.00</Amt>', '<Amt Ccy="USD">5.00</Amt>']),
    batch('10.00', ['<Amt Ccy="EUR">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>']),
  ];
  for (const file of cases) {
    const { lines } = await readValid(camt053(file));
    assert.partialDeepStrictEqual(lines, [{ amountMinor: 1000, direction: 'credit', isBatchUnclear: true }]);
    assert.equal(lines.length, 1);
  }
});

test('the counterparty is never the account itself', async () => {
  const parties =
    '<RltdPties><Dbtr><Pty><Nm>We</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>DE89 3704 0044 0532 0130 00</IBAN></Id></DbtrAcct>' +
    '<Cdtr><Pty><Nm>They</Nm></Pty></Cdtr></RltdPties>';
  const { lines } = await readValid(camt053(batch('10.00', [parties])));
  assert.equal(lines[0]?.counterparty.name, 'They');
});

test('a statement without entries has a header and an account', async () => {
  const { parts } = await readValid(camt053(''));
  assert.deepEqual(
    parts.map(({ part }) => part),
    ['header', 'statement'],
  );
});

test('a byte order mark is ignored', async () => {
  const { lines } = await readValid(`\ufeff${camt053(entry())}`);
  assert.equal(lines.length, 1);
});

const messages = {
  'camt.052': ['BkToCstmrAcctRpt', 'Rpt'],
  'camt.053': ['BkToCstmrStmt', 'Stmt'],
  'camt.054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;

test('a missing status gets the default of its message type and is marked, and nothing in a camt.052 is booked', async () => {
  const dated = '<BookgDt><Dt>2026-03-31</Dt></BookgDt>';
  for (const [kind, Sts, dates, status, isStatusAssumed] of [
    ['camt.053', '', dated, 'booked', true],
    ['camt.053', '', '', 'booked', true],
    ['camt.054', '', dated, 'booked', true],
    ['camt.054', '', '', 'pending', true],
    ['camt.052', '', dated, 'pending', true],
    ['camt.052', '<Sts>BOOK</Sts>', dated, 'pending', false],
    ['camt.052', '<Sts>INFO</Sts>', dated, 'info', false],
  ] as const) {
    const [message, statement] = messages[kind];
    const inside = `<${message}>${header}<${statement}><Id>S</Id><Acct/>${entry({ Sts, dates })}</${statement}></${message}>`;
    const { lines } = await readValid(document(inside, `urn:iso:std:iso:20022:tech:xsd:${kind}.001.02`));
    assert.partialDeepStrictEqual(lines, [{ status, isStatusAssumed }], `${kind} ${Sts} ${dates}`);
  }
});

test('an IBAN in the element for other account numbers is read, and other numbers are not', async () => {
  const iban = 'DE02500105170137075030';
  const accountOf = (role: string, id: string) =>
    `<${role}Acct><Id><Othr><Id>${id}</Id></Othr></Id></${role}Acct>`;
  const file = (own: string, other: string) =>
    camt053(batch('10.00', [`<RltdPties>${accountOf('Dbtr', other)}</RltdPties>`])).replace(
      '<IBAN>DE89370400440532013000</IBAN>',
      `<Othr><Id>${own}</Id></Othr>`,
    );
  const { parts, lines } = await readValid(file('DE89 3704 0044 0532 0130 00', iban));
  assert.partialDeepStrictEqual(parts[1], { accountIban: 'DE89370400440532013000' });
  assert.partialDeepStrictEqual(lines, [{ accountIban: 'DE89370400440532013000', counterparty: { iban } }]);
  const other = await readValid(file('0532013000', 'DE03500105170137075030'));
  assert.partialDeepStrictEqual(other.lines, [{ accountIban: null, counterparty: { iban: null } }]);
});

test('a message in an envelope gives the same parts', async () => {
  const alone = camt053(entry());
  const [, message = ''] = alone.split('?>');
  const { parts } = await readValid(alone);
  for (const file of [
    `<DataPDU xmlns="urn:swift:saa:xsd:saa.2.0"><Revision>2.0.13</Revision><Body><AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02"><Fr/></AppHdr>${message}</Body></DataPDU>`,
    `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header/><e:Body>${message}</e:Body></e:Envelope>`,
    `<statements>${message}<Ntry><Amt Ccy="EUR">99.00</Amt></Ntry></statements>`,
  ])
    assert.deepEqual((await readValid(file)).parts, parts, file);
});
