// A company's identity over the API: contact, legal pages and statement descriptor. On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiError } from '../src/base/errors.ts';
import { checkCompanyChange } from '../src/companies/check-company.ts';
import { type Answer, type Credentials, call, createLink, type Json, logIn } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith, visit } from './harness/visitor.ts';

let paylink: Paylink;
before(async () => {
  paylink = await startPaylink('server');
});
after(async () => await paylink.stop());

const newOwner = async (): Promise<Credentials> => await logIn(paylink, await paylink.createMerchant());
const change = async (owner: Credentials, identity: Json): Promise<Answer> =>
  await call(paylink, owner, ['PATCH', '/v1/company'], { identity });
const identityOf = async (owner: Credentials): Promise<Json> =>
  (await call(paylink, owner, ['GET', '/v1/company'])).body.identity as Json;

const all = {
  supportEmail: 'help@shop.example',
  supportPhone: '+49 (30) 123-45.67',
  website: 'https://shop.example',
  postalAddress: 'Hauptstraße 1\n10115 Berlin\nGermany',
  vatId: 'DE123456789',
  imprintUrl: 'https://shop.example/imprint',
  termsUrl: 'https://shop.example/terms?lang=de',
  privacyUrl: 'https://shop.example/privacy',
  statementDescriptor: 'SHOP*BERLIN 24.DE',
};

test('only the given fields of the identity change, null removes one, and the audit log has both values', async () => {
  const owner = await newOwner();
  const none = Object.fromEntries(Object.keys(all).map((name) => [name, null]));
  assert.deepEqual(await identityOf(owner), none);
  const changed = await change(owner, all);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.deepEqual(changed.body.identity, all);
  await change(owner, { vatId: null, website: 'https://www.shop.example/' });
  const expected = { ...all, vatId: null, website: 'https://www.shop.example/' };
  assert.deepEqual(await identityOf(owner), expected);
  const { body } = await call(paylink, owner, ['GET', '/v1/audit-events?type=company.changed&limit=1']);
  assert.deepEqual((body.data as Json[])[0]?.data, {
    changes: {
      vatId: { from: 'DE123456789', to: null },
      website: { from: 'https://shop.example', to: 'https://www.shop.example/' },
    },
  });
});

test('an address is stored without blanks at the ends of its lines', async () => {
  const owner = await newOwner();
  const { body } = await change(owner, { postalAddress: '\r\n Hauptstraße 1 \r\n10115 Berlin\r\n' });
  assert.equal((body.identity as Json).postalAddress, 'Hauptstraße 1\n10115 Berlin');
});

const refused: readonly [field: string, value: unknown, code: string, detail: RegExp][] = [
  ['supportEmail', 'help', 'wrong_format', /email address/],
  ['supportEmail', 'a@b.example, c@d.example', 'wrong_format', /email address/],
  ['supportPhone', 'call us', 'wrong_format', /digits/],
  ['supportPhone', '+49\u202E30 12', 'wrong_format', /digits/],
  ['website', 'shop.example', 'wrong_format', /absolute URL/],
  ['website', 'javascript:alert(1)', 'wrong_format', /absolute URL/],
  ['imprintUrl', 'https://a:b@shop.example/', 'not_allowed', /user name/],
  ['termsUrl', 'https://shop.example/a b', 'wrong_format', /spaces/],
  ['termsUrl', 'https://shop.example/\u202Efdp', 'not_printable', /printable/],
  ['privacyUrl', 'https://shop.example/\u2028', 'not_printable', /printable/],
  ['imprintUrl', 'http://shop.example/', 'wrong_format', /starts with https/],
  ['privacyUrl', `https://shop.example/${'x'.repeat(2048)}`, 'too_long', /2048/],
  ['postalAddress', '1\n2\n3\n4\n5\n6', 'too_many', /5 lines/],
  ['postalAddress', 'x'.repeat(301), 'too_long', /300/],
  ['postalAddress', ' \n ', 'not_printable', /printable/],
  ['postalAddress', 'Haupt\u202Estraße', 'not_printable', /printable/],
  ['postalAddress', 'a\tb', 'not_printable', /printable/],
  ['vatId', 'DE<1>', 'wrong_format', /letters, digits/],
  ['vatId', 'DE1\n2345', 'wrong_format', /letters, digits/],
  ['statementDescriptor', 'SHOP', 'too_short', /5/],
  ['statementDescriptor', 'S'.repeat(23), 'too_long', /22/],
  ['statementDescriptor', '12345', 'wrong_format', /at least one letter/],
  ['statementDescriptor', 'CAFÉ BERLIN', 'wrong_format', /Latin letters/],
  ['statementDescriptor', 'SHOP LTD ', 'wrong_format', /no space at its ends/],
  ['fax', '1', 'unknown_field', /not known/],
];

test('a value that is not valid is refused with its field and what to do, and changes nothing', async () => {
  const owner = await newOwner();
  await change(owner, all);
  for (const [field, value, code, detail] of refused) {
    const answer = await change(owner, { [field]: value });
    assert.equal(answer.status, 422, `${field}: ${JSON.stringify(value)}`);
    const fault = (answer.body.errors as Json[])[0];
    assert.deepEqual([fault?.field, fault?.code], [`identity.${field}`, code], JSON.stringify(answer.body));
    assert.match(String(fault?.detail), detail);
  }
  assert.deepEqual(await identityOf(owner), all);
});

test('every URL of the identity must be https in test mode too, because live pages show it', () => {
  for (const field of ['website', 'imprintUrl', 'termsUrl', 'privacyUrl']) {
    const http = { identity: { [field]: 'http://shop.example' } };
    for (const mode of ['test', 'live'] as const)
      assert.throws(
        () => checkCompanyChange(http, mode),
        (error) => error instanceof ApiError && error.errors[0]?.field === `identity.${field}`,
      );
  }
});

test('the database refuses a URL with another scheme, an address of six lines and a descriptor without a letter', async () => {
  const { companyId } = await paylink.createMerchant();
  const set = async (column: string, value: string) =>
    await paylink.app.deps.db.asOwner.query(
      // safe: a name from this test.
      `update companies set ${column} = $2 where company_id = $1`,
      [companyId, value],
    );
  for (const [column, value] of [
    ['website', 'javascript:alert(1)'],
    ['imprint_url', 'shop.example'],
    ['postal_address', '1\n2\n3\n4\n5\n6'],
    ['statement_descriptor', '123456'],
    ['support_email', 'x'],
  ] as const)
    await assert.rejects(async () => await set(column, value), /check constraint/, column);
  await set('postal_address', '1\n2\n3\n4\n5');
});

test('the contact is on the pages of its company only, and a page without a payment names none', async () => {
  const [merchant, other] = [await paylink.createMerchant(), await paylink.createMerchant()];
  await change(await logIn(paylink, merchant), all);
  const linkOf = async (one: typeof merchant) =>
    (await createLink({ baseUrl: paylink.baseUrl, merchant: one })).link;
  const link = await linkOf(merchant);
  assert.match(
    (await visit(link)).text,
    /<ul class="contact"[^\n]*help@shop\.example[^\n]*Imprint[^\n]*Privacy/,
  );
  for (const page of [await linkOf(other), `${link}x`])
    assert.doesNotMatch((await visit(page)).text, /class="contact"|shop\.example\/imprint/);
  await payWith(link, { number: '4000000000000002' });
  assert.match((await visit(link)).text, /Questions about this payment\? Contact <bdi>/);
});
