// No value can start a header, an address or a part of its own, even if it passed every check before.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import type { Company } from '../companies/store.ts';
import type { Payment } from '../payments/store.ts';
import { composeEmail } from './compose-email.ts';
import type { EmailContext } from './read-email-context.ts';
import type { ClaimedEmail } from './store.ts';
import { InvalidAddressError, writeMessage } from './write-message.ts';

const at = new Date('2026-11-21T10:00:00Z');
const mail: ClaimedEmail = {
  mailId: 'mail_one_notice',
  eventId: 'evt_one',
  kind: 'notice',
  paymentId: 'pay_one',
  refundId: null,
  recipient: 'owner@example.com',
  tries: 1,
  createdAt: at,
};

function contentsWith(company: Partial<Company>, payment: Partial<Payment>): EmailContext {
  const whole = {
    locale: 'en',
    country: 'GB',
    mode: 'live',
    state: 'open',
    code: 'codeofapayment',
    amountMinor: 1999,
    currency: 'EUR',
    customerOrderId: 'order',
    email: 'ada@example.com',
    expiresAt: at,
    ...payment,
  };
  return {
    company: { name: 'Shop', replyTo: null, ...company } as Company,
    payment: whole as Payment,
    charged: null,
    paidThere: null,
    refund: null,
  };
}

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

async function writeOut(changed: Partial<ClaimedEmail>, contents: EmailContext) {
  const whole = { ...mail, ...changed };
  const letter = composeEmail(whole, contents, 'https://pay.example');
  const sender = { mailFrom: 'no-reply@pay.example', baseUrl: 'https://pay.example' };
  const message = writeMessage(sender, whole, { contents, letter, pdf: null, at });
  const { message: bytes, envelope } = await composer.sendMail(message);
  return { raw: String(bytes), envelope, email: await PostalMime.parse(String(bytes)) };
}

const headerNames = async (contents: EmailContext, changed: Partial<ClaimedEmail> = {}) =>
  (await writeOut(changed, contents)).email.headers.map(({ key }) => key).sort();

const injections = [
  'Shop\r\nBcc: evil@evil.example',
  'Shop\nBcc: evil@evil.example\n\n<script>',
  'Shop\u2028Bcc: evil@evil.example\u0000',
  'Shop\r\n\r\n--boundary\r\nContent-Type: text/html\r\n\r\n<b>',
  '=?utf-8?Q?Shop=0D=0ABcc=3A_evil=40evil.example?=',
  `"Shop" <evil@evil.example>, ${'x'.repeat(10_000)}`,
];
for (const [index, text] of injections.entries())
  test(`a second header cannot be put in by any value, form ${index + 1}`, async () => {
    const expected = await headerNames(contentsWith({}, {}));
    const contents = contentsWith(
      { name: text },
      { customerOrderId: text, description: text, firstName: text },
    );
    for (const kind of ['notice', 'link'] as const) {
      const usual = kind === 'notice' ? expected : await headerNames(contentsWith({}, {}), { kind });
      const { email, envelope } = await writeOut({ kind }, contents);
      assert.deepEqual(email.headers.map(({ key }) => key).sort(), usual);
      assert.deepEqual(envelope, { from: 'no-reply@pay.example', to: ['owner@example.com'] });
      assert.deepEqual([email.to?.length, email.bcc ?? []], [1, []]);
      assert.doesNotMatch(email.html ?? '', /<b>|<script>/);
      assert.doesNotMatch(email.text ?? '', /^(Bcc|Content-Type|--boundary)/m);
      assert.doesNotMatch(email.subject ?? '', /[\r\n]/);
      assert.ok((email.subject ?? '').length <= 300);
    }
  });

test('a recipient that could be read as two, or as a header, is refused', async () => {
  for (const recipient of [
    'a@example.com, b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    '"a" <a@example.com>',
    'a@b@example.com',
    'a,b@example.com',
    'a@example.com\u0000',
    '',
  ])
    await assert.rejects(writeOut({ recipient }, contentsWith({}, {})), InvalidAddressError, recipient);
});

test('an address to answer to that could be read as two is left out, a good one is there', async () => {
  const of = async (email: string) => (await writeOut({}, contentsWith({}, { email }))).email.replyTo;
  assert.deepEqual(await of('ada@example.com'), [{ name: '', address: 'ada@example.com' }]);
  assert.equal(await of('a,b@example.com'), undefined);
});

test('the same mail has the same Message-ID each time, and another mail another', async () => {
  const idOf = async (mailId: string) => (await writeOut({ mailId }, contentsWith({}, {}))).email.messageId;
  assert.equal(await idOf('mail_one_notice'), '<mail_one_notice@pay.example>');
  assert.equal(await idOf('mail_one_notice'), await idOf('mail_one_notice'));
  assert.notEqual(await idOf('mail_two_notice'), await idOf('mail_one_notice'));
});

test('without a language of its own, a payment is written about in the language of its country', async () => {
  const subjectOf = async (locale: string | null, country: string) =>
    (await writeOut({}, contentsWith({}, { locale, country }))).email.subject;
  assert.match((await subjectOf(null, 'AT')) ?? '', /^Bezahlt/);
  assert.match((await subjectOf(null, 'FR')) ?? '', /^Paid/);
  assert.match((await subjectOf('en', 'DE')) ?? '', /^Paid/);
  assert.match((await subjectOf('fr', 'DE')) ?? '', /^Bezahlt/);
});
