// Damaged, malicious and unrelated files: each is refused with an instruction, and none gives a line that it does not
// contain.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readStatement } from '../../src/bank/read-camt.ts';
import { statementLimits } from '../../src/bank/statement.ts';
import {
  account,
  batch,
  camt053,
  chunksOf,
  document,
  entry,
  expectRefusal,
  header,
  readAll,
  readValid,
} from './camt-files.ts';

const samples = path.join(import.meta.dirname, 'samples');
const good = camt053(entry());

test('a file with any document type is refused', async () => {
  const laughs = Array.from(
    { length: 9 },
    (_, level) => `<!ENTITY lol${level + 1} "${`&lol${level};`.repeat(10)}">`,
  );
  const doctypes = {
    'a billion laughs': `<!DOCTYPE lolz [<!ENTITY lol0 "lol">${laughs.join('')}]>`,
    'a file of this machine': '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    'another server': '<!DOCTYPE d SYSTEM "http://127.0.0.1:9/evil.dtd">',
    'a parameter entity': '<!DOCTYPE d [<!ENTITY % p SYSTEM "http://127.0.0.1:9/"> %p;]>',
    'nothing at all': '<!DOCTYPE Document>',
  };
  for (const [, doctype] of Object.entries(doctypes)) {
    const file = good.replace('\n', `\n${doctype}`).replace('10.00', '&lol9;');
    const fault = await expectRefusal(file, 'doctype');
    assert.equal(fault.line, 2);
    assert.equal((await readAll(file)).parts.length, 0);
  }
});

test('an undeclared entity is refused, even with the name of a JavaScript property', async () => {
  for (const name of ['lol', 'constructor', 'toString', '__proto__', '#0', '#xD800', '#x110000'])
    await expectRefusal(good.replace('M-1', `&${name};`), 'not_xml');
});

test('a file that is not XML is refused, and the error names an archive or a PDF', async () => {
  for (const text of [
    'Datum;Betrag\n31.03.2026;10,00',
    ':20:STARTUMS\n:25:10020030/1234567',
    '{}',
    '\ufeff\ufeff',
  ])
    await expectRefusal(text, 'not_xml');
  for (const text of ['', ' \n', '<', '<?xml version="1.0"?>', '\ufeff'])
    await expectRefusal(text, 'truncated');
  assert.match((await expectRefusal(Buffer.from('PK\x03\x04....'), 'not_xml')).detail, /archive/);
  assert.match((await expectRefusal(gzipSync(good), 'not_xml')).detail, /archive/);
  assert.match((await expectRefusal('%PDF-1.7 ...', 'not_xml')).detail, /PDF/);
});

test('XML that is not well-formed is refused with the line of the error', async () => {
  const cases = [
    good.replace('</Stmt>', '</Ntry>'),
    good.replace('<Id>', '<Id Id="1" Id="2">'),
    good.replace('<Stmt>', '<x:Stmt>'),
    good.replace('10.00', '10.00 & more;'),
    good.replace('10.00', '1\u00010.00'),
    `${good}<Document/>`,
    `${good}trailing`,
    `\n${good}`,
  ];
  for (const file of cases) assert.ok((await expectRefusal(file, 'not_xml')).line !== null);
});

test('another message, namespace or version is refused, and the error names it', async () => {
  const iso = 'urn:iso:std:iso:20022:tech:xsd:';
  const inside = `<BkToCstmrStmt>${header}<Stmt>${account}${entry()}</Stmt></BkToCstmrStmt>`;
  assert.match(
    (await expectRefusal(document(inside, `${iso}pain.001.001.09`), 'wrong_message')).detail,
    /pain\.001/,
  );
  for (const version of ['01', '14', '99'])
    assert.match(
      (await expectRefusal(document(inside, `${iso}camt.053.001.${version}`), 'unsupported_version')).detail,
      /001\.02 to 001\.13/,
    );
  for (const uri of [
    '',
    'urn:example',
    `${iso}camt.053.001.8`,
    `${iso}camt.053.001.08/`,
    `${iso}camt.053.002.08`,
    iso.toUpperCase(),
  ])
    await expectRefusal(document(inside, uri), 'wrong_message');
  await expectRefusal(good.replaceAll('Document', 'Dokument'), 'wrong_message');
  await expectRefusal(document('<BkToCstmrDbtCdtNtfctn/>'), 'wrong_message');
  await expectRefusal(document(inside + inside), 'wrong_message');
  await expectRefusal(
    `<soap xmlns="http://schemas.xmlsoap.org/soap/envelope/">${inside}</soap>`,
    'wrong_message',
  );
  const [, whole = ''] = good.split('?>');
  await expectRefusal(`<all>${whole}${whole}</all>`, 'wrong_message');
  await expectRefusal(`<all><Document xmlns="urn:example">${inside}</Document></all>`, 'wrong_message');
  await expectRefusal('<all/>', 'wrong_message');
});

test('elements of another namespace are ignored', async () => {
  const foreign = `<x:Ntry xmlns:x="urn:x"><Amt Ccy="EUR">99.00</Amt></x:Ntry>`;
  const { lines } = await readValid(
    camt053(foreign + entry({ more: '<x:Amt xmlns:x="urn:x" Ccy="EUR">99.00</x:Amt>' })),
  );
  assert.deepEqual(
    lines.map((line) => line.amountMinor),
    [1000],
  );
});

test('an invalid amount is refused', async () => {
  const faults = {
    'Ccy="EUR">-10.00': 'negative_amount',
    'Ccy="EUR">-0': 'negative_amount',
    '>10.00': 'missing_currency',
    'Ccy="">10.00': 'bad_value',
    'Ccy="eur">10.00': 'bad_value',
    'Ccy="EUR">10,00': 'bad_amount',
    'Ccy="EUR">1e3': 'bad_amount',
    'Ccy="EUR">0x10': 'bad_amount',
    'Ccy="EUR">.': 'bad_amount',
    'Ccy="EUR">': 'bad_amount',
    'Ccy="EUR">1 000.00': 'bad_amount',
    'Ccy="EUR">١٠': 'bad_amount',
    'Ccy="EUR">10.001': 'bad_amount',
    'Ccy="EUR">10.000000': 'bad_amount',
    'Ccy="EUR">10000000000000.00': 'bad_amount',
    'Ccy="EUR">1000000000000000000': 'bad_amount',
    'Ccy="JPY">1.123456': 'bad_amount',
    'Ccy="JPY">-1': 'negative_amount',
  } as const;
  for (const [amount, code] of Object.entries(faults)) {
    await expectRefusal(camt053(entry({ Amt: `<Amt ${amount}</Amt>` })), code);
    await expectRefusal(camt053(batch('10.00', [`<Amt ${amount}</Amt>`])), code);
  }
});

test('an invalid date is refused', async () => {
  for (const date of [
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '31.03.2026',
    '2026-3-1',
    '20260331',
    '',
    '0000-01-01',
    '2026-03-31+99:00',
  ])
    await expectRefusal(camt053(entry({ dates: `<BookgDt><Dt>${date}</Dt></BookgDt>` })), 'bad_date');
  for (const moment of [
    '2026-03-31T25:00:00',
    '2026-03-31 10:00:00',
    '2026-02-30T10:00:00Z',
    '2026-03-31T10:61:00',
  ])
    await expectRefusal(camt053(entry({ dates: `<ValDt><DtTm>${moment}</DtTm></ValDt>` })), 'bad_date');
  for (const date of ['2024-02-29', '2026-03-31Z', '2026-03-31+02:00'])
    await readValid(camt053(entry({ dates: `<BookgDt><Dt>${date}</Dt></BookgDt>` })));
});

test('a value that the standard does not have is refused', async () => {
  await expectRefusal(camt053(entry({ CdtDbtInd: '<CdtDbtInd>CREDIT</CdtDbtInd>' })), 'bad_value');
  await expectRefusal(camt053(entry({ CdtDbtInd: '<CdtDbtInd>crdt</CdtDbtInd>' })), 'bad_value');
  await expectRefusal(camt053(entry({ CdtDbtInd: '<CdtDbtInd>toString</CdtDbtInd>' })), 'bad_value');
  await expectRefusal(camt053(entry({ Sts: '<Sts>BOOKED</Sts>' })), 'bad_value');
  await expectRefusal(camt053(entry({ more: '<RvslInd>yes</RvslInd>' })), 'bad_value');
  await expectRefusal(
    camt053(entry({ more: '<NtryDtls><Btch><NbOfTxs>-1</NbOfTxs></Btch></NtryDtls>' })),
    'bad_value',
  );
});

test('a file without a required element is refused', async () => {
  const withStatement = (inside: string) => document(`<BkToCstmrStmt>${inside}</BkToCstmrStmt>`);
  const cases = [
    camt053(entry({ Amt: '' })),
    camt053(entry({ CdtDbtInd: '' })),
    document(''),
    withStatement(''),
    withStatement(header),
    withStatement(`<Stmt>${account}</Stmt>`),
    withStatement(`${header}<Stmt><Acct/>${entry()}</Stmt>`),
    withStatement(`${header}<Stmt><Id>S-1</Id>${entry()}</Stmt>`),
    good.replace('<MsgId>M-1</MsgId>', ''),
    good.replace('<MsgId>M-1</MsgId>', '<MsgId> </MsgId>'),
    good.replace('<CreDtTm>2026-03-31T18:00:00Z</CreDtTm>', ''),
  ];
  for (const file of cases) await expectRefusal(file, 'missing_part');
});

test('a repeated or misplaced element is refused', async () => {
  const amount = '<Amt Ccy="EUR">10.00</Amt>';
  const cases = [
    camt053(entry({ Amt: amount + amount })),
    camt053(entry({ more: '<CdtDbtInd>DBIT</CdtDbtInd>' })),
    camt053(entry({ more: '<Sts><Prtry>x</Prtry></Sts>' })),
    camt053(entry({ Amt: '<Amt Ccy="EUR">1<x/>0.00</Amt>' })),
    camt053(
      batch('10.00', ['<Refs><EndToEndId>a</EndToEndId></Refs><Refs><EndToEndId>b</EndToEndId></Refs>']),
    ),
    good.replace('<GrpHdr>', `${header}<GrpHdr>`),
    good.replace('</Stmt>', `</Stmt>${entry()}`),
    good.replace('</Ntry>', `</Ntry>${account}`),
    good
      .replace(account, '<Id>S-1</Id><Acct/>')
      .replace('</Ntry>', `</Ntry>${account.replace('<Id>S-1</Id>', '')}`),
  ];
  for (const file of cases) await expectRefusal(file, 'unexpected_part');
});

test('invalid bytes and unsupported encodings are refused', async () => {
  const declared = (encoding: string) => good.replace('encoding="UTF-8"', `encoding="${encoding}"`);
  await expectRefusal(Buffer.from(good.replace('M-1', 'Mü-1'), 'latin1'), 'encoding');
  await expectRefusal(Buffer.from(good, 'utf16le'), 'encoding');
  await expectRefusal(Buffer.from(`\ufeff${good}`, 'utf16le'), 'encoding');
  for (const encoding of ['UTF-16', 'windows-1252', 'ISO-8859-15', 'UTF-7', 'x'])
    assert.match((await expectRefusal(declared(encoding), 'encoding')).detail, new RegExp(encoding, 'i'));
  for (const encoding of ['utf-8', 'US-ASCII', 'iso-8859-1']) await readValid(declared(encoding));
});

test('files beyond the limits of depth, text, entry and lines are refused', async () => {
  const deep = '<a>'.repeat(40) + '</a>'.repeat(40);
  await expectRefusal(good.replace('</Stmt>', `${deep}</Stmt>`), 'too_deep');
  const long = 'x'.repeat(statementLimits.maxTextLength + 10);
  for (const text of [
    long,
    `<!--${long}-->`,
    `<?p ${long}?>`,
    `<![CDATA[${long}]]>`,
    `<a b="${long}"/>`,
    `<${long}/>`,
    `&#x${long.replaceAll('x', '0')}41;`,
  ])
    await expectRefusal(
      good.replace('</Stmt>', `<AddtlStmtInf>${text}</AddtlStmtInf></Stmt>`),
      'text_too_long',
    );
  await readValid(
    good.replace(
      '</Stmt>',
      `<AddtlStmtInf>${'x'.repeat(statementLimits.maxTextLength - 100)}</AddtlStmtInf></Stmt>`,
    ),
  );
  const texts = Array.from({ length: 10 }, () => `<RmtInf><Ustrd>${'x'.repeat(1000)}</Ustrd></RmtInf>`);
  await expectRefusal(camt053(batch('10.00', texts)), 'entry_too_large', { maxEntryLength: 10_000 });
  await expectRefusal(camt053(batch('10.00', texts.fill(''))), 'entry_too_large', { maxEntryLength: 2000 });
  const references = `<RmtInf><Strd><CdtrRefInf>${'<Ref>a</Ref>'.repeat(200)}</CdtrRefInf></Strd></RmtInf>`;
  await expectRefusal(camt053(batch('10.00', [references])), 'entry_too_large', { maxEntryLength: 4000 });
  const { lines, fault } = await readAll(camt053(entry().repeat(7)), { limits: { maxLines: 5 } });
  assert.equal(fault?.code, 'too_many_lines');
  assert.deepEqual(
    lines.map((line) => line.position),
    [1, 2, 3, 4, 5],
  );
});

test('an endless text is refused early', async () => {
  let pieceCount = 0;
  async function* endless() {
    yield Buffer.from(good.slice(0, good.indexOf('M-1')));
    for (; pieceCount < 2000; pieceCount++) yield Buffer.alloc(16 * 1024, 'x');
  }
  await assert.rejects(
    async () => {
      for await (const _ of readStatement(endless()));
    },
    { name: 'StatementError', code: 'text_too_long' },
  );
  assert.ok(pieceCount < 10, `${pieceCount} pieces were read`);
});

test('a file truncated anywhere gives only correct lines, and ends in an error', async () => {
  for (const name of ['camt053-001-02-de', 'camt053-001-08-ch', 'camt054-001-02-de', 'camt054-001-08-ch']) {
    const file = readFileSync(path.join(samples, `${name}.xml`));
    const { parts } = await readValid(file);
    const end = file.toString('latin1').trimEnd().length;
    for (let step = 1; step < 200; step++) {
      const length = Math.min(Math.floor((file.length * step) / 200), end - 1);
      const cut = await readAll(file.subarray(0, length));
      assert.equal(cut.fault?.code, 'truncated', `${name} cut at ${length}`);
      assert.deepEqual(cut.parts, parts.slice(0, cut.parts.length));
    }
  }
});

test('a misplaced angle bracket anywhere is an error', async () => {
  const file = Buffer.from(
    camt053(entry() + batch('10.00', ['<Amt Ccy="EUR">4.00</Amt>', '<Amt Ccy="EUR">6.00</Amt>'])),
  );
  for (let at = 0; at < file.length; at++) {
    const changed = Buffer.from(file);
    changed[at] = changed[at] === 0x3c ? 0x3e : 0x3c;
    const { fault } = await readAll(changed);
    assert.ok(fault, `an angle bracket at ${at} was ignored`);
  }
});

test('an error of the source ends the reading, and an abandoned source is closed', async () => {
  const broken = new Error('the connection was lost');
  async function* failing() {
    yield* chunksOf(good.slice(0, 200));
    throw broken;
  }
  await assert.rejects(async () => {
    for await (const _ of readStatement(failing()));
  }, broken);
  let isClosed = false;
  async function* endless() {
    try {
      for (const piece of [good.slice(0, -20), ...Array.from({ length: 1000 }, () => ' '.repeat(1000))])
        yield Buffer.from(piece);
    } finally {
      isClosed = true;
    }
  }
  for await (const part of readStatement(endless(), statementLimits)) if (part.part === 'line') break;
  assert.equal(isClosed, true);
});
