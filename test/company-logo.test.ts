// A company's logo as a file: upload, delete, how it is served, and what is refused. On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { maxLogoFilePixels } from '../src/companies/change-logo.ts';
import { findLogo } from '../src/companies/logo-store.ts';
import { maxReceiptLogoPixels } from '../src/receipts/flatten-logo.ts';
import {
  type Answer,
  type Credentials,
  call,
  createLink,
  credentialHeaders,
  type Json,
  logIn,
  readAnswer,
} from './harness/client.ts';
import { type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { makePng } from './harness/png.ts';
import { visit } from './harness/visitor.ts';

let paylink: Paylink;
before(async () => {
  paylink = await startPaylink('server');
});
after(async () => await paylink.stop());

type Own = { merchant: Merchant; owner: Credentials };
async function newOwner(): Promise<Own> {
  const merchant = await paylink.createMerchant();
  return { merchant, owner: await logIn(paylink, merchant) };
}

const path = '/v1/company/logo';
const png = makePng({ width: 600, height: 200, bytes: 60_000 });
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 80"><!-- why --><rect width="240" height="80" fill="#c02060"/></svg>',
);
const cleanSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80" viewBox="0 0 240 80"><rect width="240" height="80" fill="#c02060"/></svg>';

const upload = async (
  owner: Credentials,
  body: Uint8Array,
  { type = 'image/png', query = '' }: { type?: string; query?: string } = {},
): Promise<Answer> =>
  await readAnswer(
    await fetch(`${paylink.baseUrl}${path}${query}`, {
      method: 'PUT',
      headers: { ...credentialHeaders(owner), ...(type === '' ? {} : { 'content-type': type }) },
      body: Uint8Array.from(body),
    }),
  );
const remove = async (owner: Credentials, query = '') =>
  await call(paylink, owner, ['DELETE', `${path}${query}`]);
const patch = async (owner: Credentials, branding: Json) =>
  await call(paylink, owner, ['PATCH', '/v1/company'], { branding });
const logoOf = async (owner: Credentials) =>
  (await call(paylink, owner, ['GET', '/v1/company'])).body.logo as Record<'url' | 'darkUrl', string | null>;
const pageOf = async ({ merchant }: Own): Promise<string> =>
  (await visit((await createLink({ baseUrl: paylink.baseUrl, merchant })).link)).text;
const faultOf = ({ body }: Answer) => (body.errors as Json[])[0];

async function fetchLogo(url: string | null) {
  const response = await fetch(url ?? assert.fail('no logo'));
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.bytes()) };
}

test('an uploaded PNG is on the pages, unchanged, and may be cached forever', async () => {
  const own = await newOwner();
  const { status, body } = await upload(own.owner, png);
  assert.equal(status, 200, JSON.stringify(body));
  const { url } = await logoOf(own.owner);
  assert.deepEqual(body.logo, { url, darkUrl: null });
  const shown = new RegExp(
    `<img src="${new URL(url ?? '').pathname}" width="144" height="48" alt="" decoding="async">`,
  );
  assert.match(await pageOf(own), shown);
  const file = await fetchLogo(url);
  assert.deepEqual(file.bytes, png);
  assert.equal(file.headers.get('content-type'), 'image/png');
  assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
});

test('an uploaded SVG is stored rewritten, and served so that it can neither run nor load anything', async () => {
  const own = await newOwner();
  assert.equal((await upload(own.owner, svg, { type: 'image/svg+xml' })).status, 200);
  const { url } = await logoOf(own.owner);
  assert.match(url ?? '', /\/assets\/logos\/co_[0-9a-z]{8}\/[0-9a-f]{16}\.svg$/);
  const { status, headers, bytes } = await fetchLogo(url);
  assert.deepEqual([status, bytes.toString()], [200, cleanSvg]);
  assert.equal(headers.get('content-type'), 'image/svg+xml');
  assert.equal(
    headers.get('content-security-policy'),
    "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  );
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.match(await pageOf(own), /<link rel="icon" type="image\/svg\+xml" href="\/assets\/logos\//);
});

test('a dark variant is shown on dark pages, and only beside a logo', async () => {
  const own = await newOwner();
  assert.equal((await upload(own.owner, svg, { type: 'image/svg+xml', query: '?variant=dark' })).status, 200);
  assert.deepEqual(await logoOf(own.owner), { url: null, darkUrl: null });
  assert.doesNotMatch(await pageOf(own), /class="logo/);
  await upload(own.owner, png);
  const { url, darkUrl } = await logoOf(own.owner);
  const [light, dark] = [url, darkUrl].map((one) => new URL(one ?? assert.fail('no URL')).pathname);
  const picture = `<p class="logo two"><picture><source srcset="${dark}" media="(prefers-color-scheme: dark)"><img src="${light}" width="144" height="48" alt="" decoding="async"></picture></p>`;
  assert.ok((await pageOf(own)).includes(picture));
  assert.equal((await remove(own.owner, '?variant=dark')).status, 200);
  assert.deepEqual(await logoOf(own.owner), { url, darkUrl: null });
  assert.equal((await fetchLogo(darkUrl)).status, 404, 'a deleted file is not served');
});

test('an uploaded logo is shown before branding.logo, which stays and comes back after a deletion', async () => {
  const own = await newOwner();
  const small = makePng({ width: 20, height: 20 });
  await patch(own.owner, { logo: small.toString('base64') });
  const before = await logoOf(own.owner);
  assert.deepEqual((await fetchLogo(before.url)).bytes, small);
  const { body } = await upload(own.owner, svg, { type: 'image/svg+xml' });
  assert.equal((body.branding as Json).logo, small.toString('base64'));
  assert.notEqual((await logoOf(own.owner)).url, before.url);
  const { companyId } = own.merchant;
  const forEmails = async () => await paylink.app.deps.db.inCompany(companyId, findLogo);
  assert.deepEqual((await forEmails())?.bytes, small, 'emails and PDF files cannot show SVG');
  await upload(own.owner, png);
  assert.deepEqual((await forEmails())?.bytes, png);
  await remove(own.owner);
  assert.deepEqual(await logoOf(own.owner), before);
});

test('a page names the shape of the logo that it shows', async () => {
  const own = await newOwner();
  const sizeOf = async () => /class="logo.*?<img src="[^"]*"([^>]*) alt/s.exec(await pageOf(own))?.[1];
  await patch(own.owner, { logo: makePng({ width: 20, height: 10 }).toString('base64') });
  assert.equal(await sizeOf(), ' width="96" height="48"');
  await upload(own.owner, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7.5 2.5"/>'), {
    type: 'image/svg+xml',
  });
  assert.equal(await sizeOf(), ' width="144" height="48"');
  await patch(own.owner, { logo: makePng({ width: 10, height: 10 }).toString('base64') });
  assert.equal(await sizeOf(), ' width="144" height="48"', 'the uploaded logo is shown');
  await upload(own.owner, makePng({ width: 1, height: maxLogoFilePixels }));
  assert.equal(await sizeOf(), ' width="1" height="48"');
  await remove(own.owner);
  assert.equal(await sizeOf(), ' width="48" height="48"');
});

test('uploads and deletions are in the audit log, and a repeated one is not', async () => {
  const { owner } = await newOwner();
  await upload(owner, png);
  await upload(owner, png);
  await remove(owner);
  await remove(owner);
  const { body } = await call(paylink, owner, ['GET', '/v1/audit-events?type=company.changed']);
  const changes = (body.data as Json[]).map(({ data }) => (data as Json).changes as Json);
  const { from } = changes[0]?.logoFile as Json;
  assert.match(String(from), /^[0-9a-f]{16}\.png$/);
  assert.deepEqual(changes, [{ logoFile: { from, to: null } }, { logoFile: { from: null, to: from } }]);
});

const damaged = Buffer.from(png);
damaged[40] = (damaged[40] ?? 0) ^ 1;
const vector = (inside: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`);
const refused: readonly [
  what: string,
  bytes: Buffer,
  type: string,
  status: number,
  code: string,
  detail: RegExp,
][] = [
  ['a damaged PNG', damaged, 'image/png', 422, 'wrong_format', /complete PNG/],
  ['an SVG that is said to be a PNG', svg, 'image/png', 422, 'wrong_format', /complete PNG/],
  ['a PNG that is said to be an SVG', png, 'image/svg+xml', 422, 'not_allowed', /UTF-8/],
  [
    'a PNG that is too wide',
    makePng({ width: 1_025, height: 1 }),
    'image/png',
    ...([422, 'too_large', /1025 × 1 pixels/] as const),
  ],
  ['a script', vector('<script>alert(1)</script>'), 'image/svg+xml', 422, 'not_allowed', /scripts/],
  ['an event handler', vector('<g onload="alert(1)"/>'), 'image/svg+xml', 422, 'not_allowed', /onload/],
  [
    'an external reference',
    vector('<rect fill="url(https://evil.example)"/>'),
    'image/svg+xml',
    ...([422, 'not_allowed', /outside/] as const),
  ],
  [
    'a bomb of entities',
    Buffer.concat([Buffer.from('<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">]>'), vector('&a;')]),
    'image/svg+xml',
    ...([422, 'not_allowed', /DOCTYPE/] as const),
  ],
  [
    'an SVG that grows when it is rewritten',
    vector(`<text>${'>'.repeat(99_000)}</text>`),
    'image/svg+xml',
    ...([422, 'too_large', /after it was rewritten/] as const),
  ],
  ['an empty body', Buffer.alloc(0), 'image/png', 422, 'missing', /empty/],
];

test('a file that is not accepted is refused with what to do, and changes nothing', async () => {
  const own = await newOwner();
  await upload(own.owner, png);
  const before = await logoOf(own.owner);
  for (const [what, bytes, type, status, code, detail] of refused) {
    const answer = await upload(own.owner, bytes, { type });
    assert.equal(answer.status, status, `${what}: ${JSON.stringify(answer.body)}`);
    assert.deepEqual([faultOf(answer)?.field, faultOf(answer)?.code], ['body', code], what);
    assert.match(String(faultOf(answer)?.detail), detail);
  }
  const others: readonly [Buffer, string, string, number, string, RegExp][] = [
    [
      makePng({ width: 9, height: 9, bytes: 100_001 }),
      'image/png',
      '',
      413,
      'body_too_large',
      /100001 bytes.*at most 100000/,
    ],
    [png, 'application/json', '', 415, 'unsupported_media_type', /image\/png or image\/svg\+xml/],
    [png, 'image/jpeg', '', 415, 'unsupported_media_type', /image\/png/],
    [png, 'image/png', '?variant=print', 422, 'invalid_fields', /./],
  ];
  for (const [bytes, type, query, status, code, detail] of others) {
    const { status: got, body } = await upload(own.owner, bytes, { type, query });
    assert.deepEqual([got, body.code], [status, code], JSON.stringify(body));
    assert.match(String(body.detail), detail);
  }
  assert.deepEqual(await logoOf(own.owner), before);
  assert.equal((await fetchLogo(before.url)).status, 200);
});

test('files of exactly 100,000 bytes and 1,024 pixels are accepted', async () => {
  const { owner } = await newOwner();
  const largest = makePng({ width: 1_024, height: 1_024, bytes: 100_000 });
  assert.equal(largest.length, 100_000);
  assert.equal((await upload(owner, largest)).status, 200);
});

test('the PDF of a receipt can draw every PNG that is accepted', () => {
  assert.ok(maxLogoFilePixels ** 2 <= maxReceiptLogoPixels);
});

test('a logo is served under the ID of its company only', async () => {
  const [one, other] = [await newOwner(), await newOwner()];
  await upload(one.owner, png);
  const { url } = await logoOf(one.owner);
  const moved = (url ?? '').replace(one.merchant.companyId, other.merchant.companyId);
  assert.equal((await fetchLogo(moved)).status, 404);
});

test('of concurrent uploads one wins, and the page names a file that is served', async () => {
  const own = await newOwner();
  const sizes = [20, 30, 40, 50, 60];
  await Promise.all(
    sizes.map(async (size) => await upload(own.owner, makePng({ width: size, height: size }))),
  );
  assert.equal((await fetchLogo((await logoOf(own.owner)).url)).status, 200);
});
