// Everything that parses callers' text takes linear time: regular expressions, schema patterns and parsers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { pino } from 'pino';
import { readStatement } from '../src/bank/read-camt.ts';
import { statementLimits } from '../src/bank/statement.ts';
import { areNamesAlike } from '../src/bank/suggest-transfer.ts';
import { decodeBase64url } from '../src/base/base64url.ts';
import { systemClock } from '../src/base/clock.ts';
import { findReferences, parseReference } from '../src/base/creditor-reference.ts';
import { csvCell } from '../src/base/csv.ts';
import { decodeCursor } from '../src/base/cursor.ts';
import { plainEmailAddress } from '../src/base/email-address.ts';
import { formatIban, parseBic, parseIban } from '../src/base/iban.ts';
import { openKeyring } from '../src/base/keyring.ts';
import { chooseLocale } from '../src/base/locale.ts';
import { isSameDecimal, parseAmount, parseStatementAmount } from '../src/base/money.ts';
import { parseTimestamp } from '../src/base/timestamp.ts';
import { createFeedCursors } from '../src/events/feed-cursor.ts';
import { networkOf } from '../src/http/client-network.ts';
import { plainText, titleText, webAddress } from '../src/http/html.ts';
import type { HttpServer } from '../src/http/http-server.ts';
import { parseJsonBody } from '../src/http/json-body.ts';
import { isHost } from '../src/http/malformed-requests.ts';
import { buildServer } from '../src/http/server.ts';
import { type SessionCookie, useSessionCookie } from '../src/http/session-cookie.ts';
import { closestName } from '../src/http/validation.ts';
import { isHumanVisit } from '../src/links/record-link-opened.ts';
import { parseCard } from '../src/processors/card.ts';
import { readTarget } from '../src/webhooks/outbound-target.ts';
import { root } from './harness/process.ts';
import { findAsyncGrowth, findGrowth, worstTexts } from './harness/worst-texts.ts';
import { readFacts } from './tidy-source.ts';

type Parse = (text: string) => unknown;

/** The inputs that take more than linear time. A rejected input counts too. */
function findSlow(name: string, parse: Parse, options?: Parameters<typeof worstTexts>[0]): string[] {
  const workOn = (text: string) => {
    try {
      parse(text);
    } catch {
      // Results are tested elsewhere.
    }
  };
  // One finding suffices: each takes long.
  for (const text of worstTexts(options)) {
    const fault = findGrowth(workOn, text);
    if (fault) return [`${name} on ${text.name}: ${fault}`];
  }
  return [];
}

/** The characters of an expression and pairs of them, including those that it repeats. */
function alphabetOf(source: string): { more: string[]; starts: string[] } {
  const plain = source.replaceAll(/\\[a-zA-Z]|\\[pP]\{\w+\}|[\\^$.*+?()[\]{}|]/g, ' ');
  const characters = [...new Set(plain)].slice(0, 6);
  const word = /^[^\\^$.*+?()[\]{}|]+/.exec(source.replace(/^\^/, ''))?.[0];
  return {
    more: characters.flatMap((one) => characters.map((two) => one + two)),
    starts: word ? [word] : [],
  };
}

function findSlowExpression(where: string, expression: RegExp): string[] {
  const again = () => new RegExp(expression);
  return findSlow(where, (text) => again().test(text), alphabetOf(expression.source));
}

const files: { path: string; text: string }[] = [];
// The command line parses its own user's input.
for await (const path of glob('src/**/*.ts', { cwd: root }))
  if (!/\.test\.ts$|^src\/cli\//.test(path))
    files.push({ path, text: readFileSync(join(root, path), 'utf8') });
const withExpressions = readFacts(files).filter(({ expressions }) => expressions.length > 0);

test('all regular expressions of the source are checked', () => assert.ok(withExpressions.length > 50));

// One test per file, so that none reaches the time limit.
for (const { path, expressions } of withExpressions)
  test(`no regular expression of ${path} takes more than linear time`, () => {
    const slow = expressions.flatMap(({ text, line }) => {
      const end = text.lastIndexOf('/');
      return findSlowExpression(
        `${path}:${line}`,
        new RegExp(text.slice(1, end), text.slice(end + 1).replace('g', '')),
      );
    });
    assert.deepEqual(slow, []);
  });

function* patternsIn(value: unknown): Iterable<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    if (name === 'pattern' && typeof member === 'string') yield member;
    else yield* patternsIn(member);
}

test('no pattern of a schema takes more than linear time', () => {
  const patterns = new Set(patternsIn(JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))));
  assert.ok(patterns.size > 8);
  const slow = [...patterns].flatMap((pattern) => findSlowExpression(pattern, new RegExp(pattern, 'u')));
  assert.deepEqual(slow, []);
});

test('an expression with quadratic time is detected', () => {
  const known: [RegExp, string][] = [
    [/0+$/, '["","0","\\u0001"]'],
    [/\s+$/, '["","\\t","\\u0001"]'],
    [/^[^\p{C}]*[^\p{C}\s][^\p{C}]*$/u, '["","a","\\u0001"]'],
  ];
  for (const [expression, name] of known) {
    const text = worstTexts().find((one) => one.name === name);
    assert.ok(text, name);
    assert.notEqual(
      findGrowth((tried) => expression.test(tried), text),
      null,
      String(expression),
    );
  }
});

let cookie: SessionCookie | undefined;
useSessionCookie(
  { decorate: (_name: string, made: SessionCookie) => (cookie = made) } as unknown as HttpServer,
  { baseUrl: 'https://pay.example' },
);

const cursors = createFeedCursors(await openKeyring(Buffer.alloc(32, 1)));
const json = (wrap: (text: string) => string) => (text: string) => parseJsonBody(Buffer.from(wrap(text)));

test('asynchronous work with quadratic time is detected', async () => {
  const text = worstTexts().find(({ name }) => name === '["","\\t","\\u0001"]');
  assert.ok(text);
  assert.notEqual(await findAsyncGrowth(async (tried) => /\s+$/.test(tried), text), null);
});

const parsers: Record<string, Parse> = {
  'a JSON body': json((text) => text),
  'a JSON body of one string': json((text) => `{"email":"${text}"}`),
  'a JSON body of one unfinished string': json((text) => `{"email":"${text}`),
  'a JSON body of one number': json((text) => `{"email":1${text}}`),
  'a JSON body of one fraction': json((text) => `{"email":1.${text}}`),
  'a JSON body of one exponent': json((text) => `{"email":1e${text}}`),
  'a JSON body of one name': json((text) => `{"${text}":1,"${text}":2}`),
  'an amount': (text) => parseAmount(text, 'EUR'),
  'an amount of many digits': (text) => parseAmount(`1${text}`, 'EUR'),
  'an amount in the books of others': (text) => parseStatementAmount(`0.${text}`, 'EUR'),
  'two decimals': (text) => isSameDecimal(`1.${text}`, `1${text}`),
  'a moment': (text) => parseTimestamp(text),
  'a fraction of a moment': (text) => parseTimestamp(`2026-01-01T00:00:00.${text}Z`),
  'an account number': (text) => parseIban(text),
  'a German account number': (text) => parseIban(`DE89${text}`),
  'groups of four': (text) => formatIban(text),
  "a bank's code": (text) => parseBic(text),
  'a creditor reference': (text) => parseReference(text),
  'creditor references in a text': (text) => findReferences(text),
  'two names': (text) => areNamesAlike(text, text),
  'Accept-Language': (text) => chooseLocale({ acceptLanguage: text }),
  'User-Agent': (text) => isHumanVisit({ method: 'GET', userAgent: text, purpose: undefined }),
  Cookie: (text) => cookie?.read({ headers: { cookie: text } } as FastifyRequest),
  'the locale of a payment': (text) => chooseLocale({ wanted: [text] }),
  'the address of a client': (text) => networkOf(text),
  Host: (text) => isHost(text),
  'an e-mail address': (text) => plainEmailAddress.test(text),
  'a base64url text': (text) => decodeBase64url(text),
  'a cursor of a list': (text) => decodeCursor(['x'], text, 1),
  'a cursor of the feed': (text) => cursors.decode('co_x', text),
  'the address of an endpoint': (text) =>
    readTarget(`https://${text}`, { allowsLoopback: false, isHttpsRequired: false }),
  'a web address': (text) => webAddress(`https://example.com/${text}`),
  'a field name that nobody knows': (text) => closestName(text, ['customerOrderId', 'email']),
  'a text for a page': (text) => plainText(text),
  'a text for a title': (text) => titleText(text),
  'a cell of a file': (text) => csvCell(text),
  'a form': (text) => new URLSearchParams(text).get('form_token'),
  'the name on a card': (name) => parseCard({ name, number: '', expiry: '', csc: '' }, new Date(0)),
  'the number of a card': (number) => parseCard({ name: '', number, expiry: '', csc: '' }, new Date(0)),
  'the end of a card': (expiry) => parseCard({ name: '', number: '', expiry, csc: '' }, new Date(0)),
  'the code of a card': (csc) => parseCard({ name: '', number: '', expiry: '', csc }, new Date(0)),
  'a phone number': (text) => parsePhoneNumberFromString(text, 'DE'),
  'an international phone number': (text) => parsePhoneNumberFromString(`+49${text}`, 'DE'),
};

for (const [name, parse] of Object.entries(parsers))
  test(`reading ${name} takes linear time`, () => assert.deepEqual(findSlow(name, parse), []));

/** Bodies of many small parts of equal length. */
const bodies: Record<string, (part: string) => { head: string; part: string; tail: string }> = {
  'many numbers': () => ({ head: '[', part: '1.00e99,', tail: '1]' }),
  'many exact numbers': () => ({ head: '[', part: '1.00e1,', tail: '1]' }),
  'many names': (id) => ({ head: '{', part: `"${id}":1.00e1,`, tail: '"":1}' }),
  'many escaped names': (id) => ({ head: '{', part: `"\\u0041${id}":1,`, tail: '"":1}' }),
  'many strings': () => ({ head: '[', part: '"\\u0000",', tail: '1]' }),
  'many forbidden names': () => ({ head: '[', part: '{"__proto__":1},', tail: '1]' }),
  'many objects': () => ({ head: '[', part: '{"a":[[]]},', tail: '1]' }),
};

for (const [name, make] of Object.entries(bodies))
  test(`reading a JSON body of ${name} takes linear time`, () => {
    const ofLength = (length: number) => {
      const { head, tail, part } = make('00000');
      const count = Math.floor((length - head.length - tail.length) / part.length);
      const ids = Array.from({ length: count }, (_, index) => make(String(index).padStart(5, '0')).part);
      return head + ids.join('') + tail;
    };
    const body = (text: string) => {
      try {
        parseJsonBody(Buffer.from(text));
      } catch {
        // Results are tested elsewhere.
      }
    };
    assert.equal(findGrowth(body, { name, ofLength }), null);
  });

/** Repetitive bank statements. */
const statements: Record<string, { head: string; part: string; tail: string }> = {
  'many tags': { head: '<a>', part: '<b></b>', tail: '</a>' },
  'tags that never end': { head: '', part: '<b>', tail: '' },
  'an open tag': { head: '<', part: 'a', tail: '' },
  'many attributes': { head: '<a ', part: 'b="" ', tail: '/>' },
  'a long attribute': { head: '<a b="', part: 'x', tail: '"/>' },
  'a long text': { head: '<a>', part: 'x', tail: '</a>' },
  'many entities': { head: '<a>', part: '&amp;', tail: '</a>' },
  'an entity that never ends': { head: '<a>&', part: 'a', tail: '</a>' },
  'a comment': { head: '<!--', part: '- ', tail: '--><a/>' },
  'character data': { head: '<a><![CDATA[', part: '] ', tail: ']]></a>' },
  'white space': { head: '', part: ' ', tail: '<a/>' },
  instructions: { head: '', part: '<?a b?>', tail: '<a/>' },
};
const entry =
  '<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-31</Dt></BookgDt></Ntry>';
const document = {
  head:
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId>' +
    '<CreDtTm>2026-03-31T18:00:00Z</CreDtTm></GrpHdr><Stmt><Id>S</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>',
  tail: '</Stmt></BkToCstmrStmt></Document>',
};
const longText = `<Ntry><NtryRef>x</NtryRef><AddtlNtryInf>`;

for (const [name, { head, part, tail }] of Object.entries({
  ...statements,
  'many entries': { ...document, part: entry },
  'an entry of a long text': {
    head: document.head + longText,
    part: '&lt; ',
    tail: `</AddtlNtryInf></Ntry>${document.tail}`,
  },
}))
  test(`reading a bank statement of ${name} takes linear time`, async () => {
    const ofLength = (length: number) => {
      const count = Math.floor((length - head.length - tail.length) / part.length);
      return head + part.repeat(count) + tail;
    };
    const read = async (text: string) => {
      try {
        for await (const _ of readStatement(Readable.from([Buffer.from(text)]), statementLimits));
      } catch {
        // Results are tested elsewhere.
      }
    };
    assert.equal(await findAsyncGrowth(read, { name, ofLength }), null);
  });

test('reading the addresses that proxies add to a request takes linear time', async () => {
  const app = await buildServer({
    ...{ baseUrl: 'https://pay.example', log: pino({ enabled: false }), clock: systemClock },
    ...{
      trustedProxies: ['loopback'],
      connectionsPerClient: 0,
      databaseWait: null,
      isStopping: () => false,
    },
  });
  app.get('/client', async ({ ip }) => ip);
  try {
    for (const part of ['127.0.0.1, ', '127.0.0.1,', '::1,', ',', ' ', ' ,', '1', 'a', ':']) {
      const ask = async (text: string) =>
        await app.inject({ url: '/client', headers: { host: 'pay.example', 'x-forwarded-for': text } });
      const ofLength = (length: number) => part.repeat(Math.floor(length / part.length));
      assert.equal(await findAsyncGrowth(ask, { name: part, ofLength }), null, JSON.stringify(part));
    }
  } finally {
    await app.close();
  }
});
