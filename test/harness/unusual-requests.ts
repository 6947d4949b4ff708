// Unusual requests of a route, as from broken clients, scanners and attackers, as fast-check arbitraries.

import fc from 'fast-check';
import type { Json } from './client.ts';
import type { Route } from './route-cases.ts';

/** An unfinished request: path parameters and credentials are filled in later. */
export type UnusualRequest = {
  /** The route that it was generated for, as `METHOD /path`. */
  routeName: string;
  method: string;
  /** Null: valid values. */
  pathValues: string | null;
  query: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | null;
  isSigned: boolean;
};

const unusualTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '__proto__',
  'constructor',
  '\u202e\u200b',
  "'; drop table payments; --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '../../etc/passwd',
  'x'.repeat(5000),
  '💳'.repeat(200),
  '2026-02-30T00:00:00Z',
  'https://a;b/',
  'javascript:alert(1)',
];
const unusualNumbers = [
  '1e400',
  '-1e400',
  '1E-400',
  '-0',
  '00',
  '1.',
  '.5',
  '0x10',
  'NaN',
  '1e21',
  '9'.repeat(400),
];
const exactNumbers = [
  '9007199254740993',
  '19.990000000000000001',
  '5e-324',
  '1.7976931348623157e308',
  '-1',
  '0',
];

/** Text with characters that are difficult to store, print or compare. */
const hostileText = fc.string({
  unit: fc.constantFrom('\0', '\ud800', 'a', 'é', '💳', '"', '\\', '\u202e', '\n', '%', ' '),
  minLength: 1,
  maxLength: 12,
});
const unusualValue = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    ...unusualTexts,
    null,
    true,
    [],
    {},
    [[]],
    { a: { b: {} } },
    -1,
    0,
    2 ** 53,
    1e308,
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);
const unusualName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', '', '\0', '\ud800', 'amount'),
  fc.string(),
);

const exampleOf = (route: Route): Json =>
  route.operation.requestBody?.content['application/json']?.example ?? {};

/** The order ID in the example, which every request must replace with a new one. */
export const exampleOrderId = '7d9f3c8e-4f57-4a6b-9a51-0c7a2f1f8b11';

/** Members as literal text, because JSON.stringify treats `__proto__` specially. */
const write = (members: readonly (readonly [string, string])[]) =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;

/** Bodies similar to the example: mostly valid, so that an unusual part reaches later checks. */
function bodyNear(example: Json): fc.Arbitrary<Buffer> {
  const members = Object.entries(example).map(([name, value]) => [name, JSON.stringify(value)] as const);
  const text = write(members);
  const field = fc
    .constantFrom(...(members.length > 0 ? members : [['a', '1'] as const]))
    .map(([name]) => name);
  const withRaw = ([name, raw]: readonly [string, string]) =>
    write([...members.filter(([other]) => other !== name), [name, raw]]);
  const unusualJson = unusualValue.map((value) => JSON.stringify(value));
  const texts = fc.oneof(
    { arbitrary: fc.constant(text), weight: 1 },
    { arbitrary: fc.tuple(field, unusualJson).map(withRaw), weight: 6 },
    {
      arbitrary: fc.tuple(field, fc.constantFrom(...unusualNumbers, ...exactNumbers)).map(withRaw),
      weight: 2,
    },
    { arbitrary: fc.tuple(unusualName, unusualJson).map(withRaw), weight: 2 },
    { arbitrary: field.map((name) => write(members.filter(([other]) => other !== name))), weight: 1 },
    { arbitrary: field.map((name) => write([...members, [name, '1']])), weight: 1 },
    { arbitrary: fc.nat(text.length).map((end) => text.slice(0, end)), weight: 1 },
  );
  return texts.map((one) => Buffer.from(one));
}

const bodyAnywhere: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
  fc.constantFrom(...unusualNumbers, ...exactNumbers).map((text) => Buffer.from(text)),
  fc.integer({ min: 1, max: 30_000 }).map((depth) => Buffer.from('['.repeat(depth))),
  fc
    .integer({ min: 1, max: 31 })
    .map((depth) => Buffer.from(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)),
  fc
    .integer({ min: 1, max: 3000 })
    .map((count) => Buffer.from(write(Array.from({ length: count }, (_, i) => [`k${i}`, '1'] as const)))),
  fc.constant(Buffer.alloc(70_000, 0x20)),
);

function bodyOf(route: Route): fc.Arbitrary<Buffer | null> {
  const near = bodyNear(exampleOf(route));
  const notText = fc
    .tuple(near, fc.nat(), fc.constantFrom(0x00, 0x80, 0xff))
    .map(([body, at, byte]) =>
      Buffer.concat([
        body.subarray(0, at % (body.length + 1)),
        Buffer.from([byte]),
        body.subarray(at % (body.length + 1)),
      ]),
    );
  const any = fc.oneof(
    { arbitrary: near, weight: 6 },
    { arbitrary: notText, weight: 1 },
    { arbitrary: bodyAnywhere, weight: 2 },
  );
  return route.method === 'GET' ? fc.option(any, { freq: 9 }) : fc.option(any, { freq: 10 });
}

// Line breaks are not generated here: the raw bytes below contain them.
const headerText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    ',',
    ';',
    '"',
    '\xff\xfe',
    'a'.repeat(5000),
    'a\r\nX-Odd: 1',
    '\x00',
    '\t',
    'a'.repeat(20_000),
  ),
  fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '?')),
);
const unusualHeader: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  fc.constantFrom(
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'application/json; charset=utf-16'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Content-Type', 'application/JSON;;'],
    ['Content-Type', ''],
    ['Content-Encoding', 'gzip'],
    ['Transfer-Encoding', 'chunked'],
    ['Transfer-Encoding', 'gzip'],
    ['Content-Length', '1, 1'],
    ['Expect', '100-continue'],
    ['Expect', 'miracles'],
    ['Upgrade', 'websocket'],
    ['Host', 'evil.example'],
    ['Host', ''],
    ['Accept', 'text/html;q=x'],
    ['Range', 'bytes=0-'],
    ['If-None-Match', '*'],
    ['X-HTTP-Method-Override', 'DELETE'],
  ),
  fc.tuple(
    fc.constantFrom(
      'Authorization',
      'X-API-KEY',
      'X-COMPANY-ID',
      'Idempotency-Key',
      'X-Forwarded-For',
      'Accept',
      'Cookie',
      'Accept-Language',
      'X-Odd',
    ),
    headerText,
  ),
  fc.uuid().map((key) => ['Idempotency-Key', key] as const),
);

const unusualSegment = fc.oneof(
  fc.constantFrom(
    '%00',
    '%zz',
    '%',
    '..',
    '%2e%2e',
    '%2f',
    '.',
    'a'.repeat(300),
    '%f0%9f%92%b3',
    '%ff',
    '~',
    '*',
    '{code}',
    ':code',
    '%5f%5fproto%5f%5f',
    '',
  ),
  fc.string({ maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
);

/** Query strings with the route's parameters and unknown ones, and with valid and invalid values. */
function queryOf(route: Route): fc.Arbitrary<string> {
  const parameters = (route.operation.parameters ?? []).filter((one) => one.in === 'query');
  const own = parameters.map(({ name }) => name);
  const name = fc.constantFrom(...own, 'limit', 'cursor', '__proto__', 'a[]', '');
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '-1',
      '1e9',
      '0',
      '%00',
      '%zz',
      '%ff',
      'true',
      'null',
      '2026-13-01',
      'a'.repeat(2000),
      "'",
    ),
    fc.string({ maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
  );
  const good = parameters.flatMap(({ name: known, schema, example }) => {
    const values = (schema.enum as string[] | undefined) ?? (example === undefined ? [] : [String(example)]);
    return values.map((one) => [known, encodeURIComponent(one)] as [string, string]);
  });
  const odd = fc.tuple(name, value);
  const pair = good.length > 0 ? fc.oneof(odd, fc.constantFrom(...good)) : odd;
  const pairs = fc.array(pair, { minLength: own.length > 0 ? 0 : 1, maxLength: 4 });
  const query = pairs.map((list) => `?${list.map((one) => one.join('=')).join('&')}`);
  return own.length > 0
    ? query
    : fc.oneof({ arbitrary: fc.constant(''), weight: 5 }, { arbitrary: query, weight: 1 });
}

const methods = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'HEAD',
  'NONSENSE',
  'get',
];

/** Unusual requests for one route. */
export function unusualRequestsOf(route: Route): fc.Arbitrary<UnusualRequest> {
  return fc.record({
    routeName: fc.constant(route.name),
    method: fc.oneof(
      { arbitrary: fc.constant(route.method), weight: 9 },
      { arbitrary: fc.constantFrom(...methods), weight: 1 },
    ),
    pathValues: fc
      .option(unusualSegment, { freq: 1, nil: null })
      .chain((segment) => fc.constantFrom(segment, null, null)),
    query: queryOf(route),
    headers: fc.oneof(
      { arbitrary: fc.constant([]), weight: 3 },
      { arbitrary: fc.array(unusualHeader, { minLength: 1, maxLength: 3 }), weight: 2 },
    ),
    body: bodyOf(route),
    isSigned: fc.integer({ min: 0, max: 9 }).map((dice) => dice > 0),
  });
}
