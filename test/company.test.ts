// A company's settings over the API, and their effect on the next payment and page. On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiError } from '../src/base/errors.ts';
import { checkCompanyChange } from '../src/companies/check-company.ts';
import type { CompanyChange } from '../src/companies/schema.ts';
import {
  type Answer,
  type Credentials,
  call,
  createLink,
  type Json,
  logIn,
  orderOf,
  processPayment,
} from './harness/client.ts';
import { type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { makePng } from './harness/png.ts';
import { payWith, visit } from './harness/visitor.ts';

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
const change = async (owner: Credentials, body: Json): Promise<Answer> =>
  await call(paylink, owner, ['PATCH', '/v1/company'], body);
const look = async (owner: Credentials): Promise<Json> =>
  (await call(paylink, owner, ['GET', '/v1/company'])).body;
const faultOf = (answer: Answer) => (answer.body.errors as Json[])[0];
const linkOf = async ({ merchant }: Own): Promise<string> =>
  (await createLink({ baseUrl: paylink.baseUrl, merchant })).link;
const logo = makePng({ width: 96, height: 32 });
const inBase64 = (bytes: Buffer) => bytes.toString('base64');

test('only the given fields change, and the audit log has the old and new values', async () => {
  const { merchant, owner } = await newOwner();
  const fresh = await look(owner);
  assert.deepEqual(fresh, {
    companyId: merchant.companyId,
    name: 'Café Zürich',
    country: 'DE',
    branding: { color: null, logo: null },
    logo: { url: null, darkUrl: null },
    identity: {
      ...{ supportEmail: null, supportPhone: null, website: null, postalAddress: null, vatId: null },
      ...{ imprintUrl: null, termsUrl: null, privacyUrl: null, statementDescriptor: null },
    },
    retryPolicy: 'fixable',
    loginMode: 'test',
    allowedOrigins: [],
    mail: {
      ...{ receipts: true, attachReceipts: false, notices: true },
      ...{ noticeAddress: null, replyTo: null, reminderHours: null },
    },
  });
  const branding = { color: '#1849a9', logo: inBase64(logo) };
  const all = {
    ...{ name: ' Shop & Söhne ', country: 'GB', branding, retryPolicy: 'all' },
    allowedOrigins: ['https://shop.example', 'http://localhost:8080'],
    mail: {
      ...{ receipts: false, attachReceipts: true, notices: false, noticeAddress: 'orders@shop.example' },
      ...{ replyTo: 'help@shop.example', reminderHours: 24 },
    },
  };
  const changed = await change(owner, all);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const { url } = changed.body.logo as { url: string };
  assert.match(url, /^http:\/\/[^/]+\/assets\/logos\/co_[0-9a-z]{8}\/[0-9a-f]{16}\.png$/);
  const expected = { ...fresh, ...all, name: 'Shop & Söhne', logo: { url, darkUrl: null } };
  assert.deepEqual(changed.body, expected);
  assert.deepEqual(await look(owner), expected);
  const lessLogo = await change(owner, { branding: { logo: null } });
  assert.deepEqual(lessLogo.body.branding, { color: '#1849a9', logo: null });
  assert.deepEqual((await change(owner, {})).body, lessLogo.body);
  const events = await paylink.app.deps.db.asOwner.query<{ actor: string; data: { changes: Json } }>(
    `select actor, data from events where company_id = $1 and type = 'company.changed' order by event_id`,
    [merchant.companyId],
  );
  assert.equal(events.length, 2, 'a change of nothing leaves no event');
  assert.equal(events[0]?.actor, `account:${merchant.accountId}`);
  assert.deepEqual(events[0]?.data.changes.country, { from: 'DE', to: 'GB' });
  assert.deepEqual(Object.keys(events[1]?.data.changes ?? {}), ['logoHash']);
});

const damaged = Buffer.from(logo);
damaged[40] = (damaged[40] ?? 0) ^ 1;

const refused: readonly [why: string, body: Json, field: string, code: string, detail: RegExp][] = [
  ['a name of spaces', { name: '  ' }, 'name', 'not_printable', /printable/],
  ['a name that turns the line', { name: 'a\u202Eb' }, 'name', 'not_printable', /printable/],
  ['a country in small letters', { country: 'de' }, 'country', 'wrong_format', /capital/],
  ['a country that there is not', { country: 'XX' }, 'country', 'not_allowed', /country/],
  ['a colour by name', { branding: { color: 'red' } }, 'branding.color', 'wrong_format', /#1849a9/],
  [
    'a colour that is too light',
    { branding: { color: '#ff9900' } },
    'branding.color',
    'too_little_contrast',
    / 2\.14,/,
  ],
  [
    'a colour that just misses',
    { branding: { color: '#777777' } },
    'branding.color',
    'too_little_contrast',
    / 4\.47,/,
  ],
  ['a logo that is no base64', { branding: { logo: '%%%' } }, 'branding.logo', 'wrong_format', /PNG/],
  [
    'a logo that is no PNG',
    { branding: { logo: inBase64(Buffer.from('<svg/>')) } },
    'branding.logo',
    'wrong_format',
    /PNG/,
  ],
  [
    'a damaged logo',
    { branding: { logo: inBase64(damaged) } },
    'branding.logo',
    'wrong_format',
    /complete PNG/,
  ],
  [
    'a logo that is cut off',
    { branding: { logo: inBase64(logo.subarray(0, -12)) } },
    'branding.logo',
    'wrong_format',
    /complete PNG/,
  ],
  [
    'a logo with something behind it',
    { branding: { logo: inBase64(Buffer.concat([logo, Buffer.from('<script>')])) } },
    ...(['branding.logo', 'wrong_format', /complete PNG/] as const),
  ],
  [
    'a logo of 8,001 bytes',
    { branding: { logo: inBase64(makePng({ width: 9, height: 9, bytes: 8001 })) } },
    ...(['branding.logo', 'too_large', /8001 bytes/] as const),
  ],
  [
    'a logo that is too wide',
    { branding: { logo: inBase64(makePng({ width: 513, height: 1 })) } },
    ...(['branding.logo', 'too_large', /513 × 1 pixels/] as const),
  ],
  [
    'an empty picture',
    { branding: { logo: inBase64(makePng({ width: 0, height: 4 })) } },
    'branding.logo',
    'too_large',
    /0 × 4/,
  ],
  ['a look that is not known', { branding: { font: 'x' } }, 'branding.font', 'unknown_field', /not known/],
  [
    'a retry policy that is not known',
    { retryPolicy: 'often' },
    'retryPolicy',
    'not_allowed',
    /none, fixable, all/,
  ],
  [
    'an origin with a path',
    { allowedOrigins: ['https://a.example', 'https://shop.example/'] },
    'allowedOrigins.1',
    'wrong_format',
    /https:\/\/shop\.example/,
  ],
  [
    'an origin of any host',
    { allowedOrigins: ['https://*.example'] },
    'allowedOrigins.0',
    'wrong_format',
    /origin/,
  ],
  [
    'an origin of another scheme',
    { allowedOrigins: ['ftp://shop.example'] },
    'allowedOrigins.0',
    'wrong_format',
    /origin/,
  ],
  ['a field that is not known', { mode: 'live' }, 'mode', 'unknown_field', /not known/],
];
for (const [why, body, field, code, detail] of refused)
  test(`${why} is refused with an error for ${field}, and changes nothing`, async () => {
    const { owner } = await newOwner();
    const before = await look(owner);
    const answer = await change(owner, body);
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    assert.deepEqual([faultOf(answer)?.field, faultOf(answer)?.code], [field, code]);
    assert.match(String(faultOf(answer)?.detail), detail);
    assert.deepEqual(await look(owner), before);
  });

test('a logo of 8,000 bytes and 512 pixels and a colour at the contrast limit are accepted', async () => {
  const { owner } = await newOwner();
  const largest = makePng({ width: 512, height: 512, bytes: 8000 });
  assert.equal(largest.length, 8000);
  const answer = await change(owner, { branding: { color: '#767676', logo: inBase64(largest) } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body.errors));
});

test('in live mode an origin must be https', () => {
  const http: CompanyChange = { allowedOrigins: ['http://shop.example'] };
  checkCompanyChange(http, 'test');
  checkCompanyChange({ allowedOrigins: ['https://shop.example'] }, 'live');
  assert.throws(
    () => checkCompanyChange(http, 'live'),
    (error) => error instanceof ApiError && error.errors[0]?.code === 'not_allowed',
  );
});

test('allowed origins apply to the next payment request', async () => {
  const { owner } = await newOwner();
  await change(owner, { allowedOrigins: ['https://other.example'] });
  const answer = await processPayment(paylink, owner, orderOf());
  assert.deepEqual(
    (answer.body.errors as Json[]).map(({ field, code }) => [field, code]),
    [
      ['success_url', 'origin_not_allowed'],
      ['failure_url', 'origin_not_allowed'],
    ],
  );
  await change(owner, { allowedOrigins: [] });
  assert.equal((await processPayment(paylink, owner, orderOf())).status, 200);
});

test('the retry policy applies to the next decline', async () => {
  const own = await newOwner();
  const wrongCode = { number: '4000000000000127' };
  assert.equal((await payWith(await linkOf(own), wrongCode)).status, 200, 'the form comes again');
  await change(own.owner, { retryPolicy: 'none' });
  const failed = await payWith(await linkOf(own), wrongCode);
  assert.equal(new URL(failed.url).searchParams.get('status'), 'failed');
});

test('the name is on the next page, and the country applies to the next phone number', async () => {
  const own = await newOwner();
  await change(own.owner, { name: 'Blumen Ärmel', country: 'CH' });
  assert.match((await visit(await linkOf(own))).text, /Blumen Ärmel/);
  const answer = await processPayment(paylink, own.owner, orderOf({ phone: undefined }));
  assert.equal(answer.body.country, 'CH');
});

const assetOf = (text: string, form: RegExp): string => form.exec(text)?.[1] ?? assert.fail(`no ${form}`);
const stylesheetForm = /<link rel="stylesheet" href="([^"]+)">/;
const logoForm = /<img src="([^"]+)" width="\d+" height="48" alt="" decoding="async">/;

test('colour and logo are on the pages of their company only', async () => {
  const own = await newOwner();
  const plain = await visit(await linkOf(own));
  await change(own.owner, { branding: { color: '#aa1122', logo: inBase64(logo) } });
  const link = await linkOf(own);
  const branded = await visit(link);
  const stylesheet = assetOf(branded.text, stylesheetForm);
  assert.match(stylesheet, /^\/assets\/aa1122\/checkout\.[0-9a-f]{8}\.css$/);
  assert.notEqual(stylesheet, assetOf(plain.text, stylesheetForm));
  assert.match(assetOf(branded.text, logoForm), /^\/assets\/logos\/co_[0-9a-z]{8}\/[0-9a-f]{16}\.png$/);
  assert.doesNotMatch(branded.text, /<style|style=/);
  assert.equal(branded.headers.get('content-security-policy'), plain.headers.get('content-security-policy'));
  const others = await visit(await linkOf(await newOwner()));
  const unknown = await visit(`${link}x`);
  for (const page of [plain, others, unknown]) {
    assert.doesNotMatch(page.text, logoForm);
    assert.equal(assetOf(page.text, stylesheetForm), assetOf(plain.text, stylesheetForm));
  }
  await payWith(link, { number: '4242424242424242' });
  assert.match((await visit(link)).text, logoForm, 'the page of a paid link has it, too');
});

test('stylesheet and logo are cached forever, with their types, at their own URLs only', async () => {
  const own = await newOwner();
  await change(own.owner, { branding: { color: '#005500', logo: inBase64(logo) } });
  const { text } = await visit(await linkOf(own));
  const [stylesheet, picture] = [assetOf(text, stylesheetForm), assetOf(text, logoForm)];
  for (const [path, type] of [
    [stylesheet, /^text\/css/],
    [picture, /^image\/png$/],
  ] as const) {
    const { status, headers } = await visit(paylink.baseUrl + path);
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', type);
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
  }
  assert.match((await visit(paylink.baseUrl + stylesheet)).text, /--accent:#005500;--accent-strong:#004800/);
  const bytes = await (await fetch(paylink.baseUrl + picture)).bytes();
  assert.deepEqual(Buffer.from(bytes), logo);
  const { companyId } = (await newOwner()).merchant;
  for (const path of [
    stylesheet.replace('005500', '005501'),
    stylesheet.replace('005500', 'zzzzzz'),
    picture.replace(/[0-9a-f]{16}/, '0'.repeat(16)),
    picture.replace(own.merchant.companyId, companyId),
    picture.replace(own.merchant.companyId, 'nobody'),
  ])
    assert.equal((await visit(paylink.baseUrl + path)).status, 404, path);
});

test('of two concurrent changes neither is lost', async () => {
  const { owner } = await newOwner();
  const changes = [
    { name: 'New name' },
    { country: 'FR' },
    { retryPolicy: 'all' },
    { branding: { color: '#123456' } },
  ];
  await Promise.all(changes.map(async (body) => await change(owner, body)));
  const { name, country, retryPolicy, branding } = await look(owner);
  assert.deepEqual(
    [name, country, retryPolicy, branding],
    ['New name', 'FR', 'all', { color: '#123456', logo: null }],
  );
});
