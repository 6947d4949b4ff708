// No value can add a header, an address or a part to an email.

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

function contextWith(company: Partial<Company>, payment: Partial<Payment>): EmailContext {
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
    refundedMinor: 0,
    items: [],
    ...payment,
  };
  return {
    company: { name: 'Shop', replyTo: null, ...company } as Company,
    payment: whole as Payment,
    charged: null,
    otherMethod: null,
    refund: null,
  };
}

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

async function writeOut(changed: Partial<ClaimedEmail>, context: EmailContext) {
  const whole = { ...mail, ...changed };
  const content = composeEmail(whole, context, 'https://pay.example');
  const sender = { mailFrom: 'no-reply@pay.example', baseUrl: 'https://pay.example' };
  const message = writeMessage(sender, whole, { context, content, attachment: null, at });
  const { message: bytes, envelope } = await composer.sendMail(message);
  return { raw: String(bytes), envelope, email: await PostalMime.parse(String(bytes)) };
}

const headerNames = async (context: EmailContext, changed: Partial<ClaimedEmail> = {}) =>
  (await writeOut(changed, context)).email.headers.map(({ key }) => key).sort();

const injections = [
  'Shop\r\nBcc: evil@evil.example',
  'Shop\nBcc: evil@evil.example\n\n<script>',
  'Shop\u2028Bcc: evil@evil.example\u0000',
  'Shop\r\n\r\n--boundary\r\nContent-Type: text/html\r\n\r\n<b>',
  '=?utf-8?Q?Shop=0D=0ABcc=3A_evil=40evil.example?=',
  `"Shop" <evil@evil.example>, ${'x'.repeat(10_000)}`,
];
for (const [index, text] of injections.entries())
  test(`no value can inject a header, variant ${index + 1}`, async () => {
    const expected = await headerNames(contextWith({}, {}));
    const context = contextWith(
      { name: text },
      { customerOrderId: text, description: text, firstName: text },
    );
    for (const kind of ['notice', 'link'] as const) {
      const usual = kind === 'notice' ? expected : await headerNames(contextWith({}, {}), { kind });
      const { email, envelope } = await writeOut({ kind }, context);
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
    await assert.rejects(writeOut({ recipient }, contextWith({}, {})), InvalidAddressError, recipient);
});

test('a valid reply-to address is used, and one that could be read as two is omitted', async () => {
  const of = async (email: string) => (await writeOut({}, contextWith({}, { email }))).email.replyTo;
  assert.deepEqual(await of('ada@example.com'), [{ name: '', address: 'ada@example.com' }]);
  assert.equal(await of('a,b@example.com'), undefined);
});

test('an email has the same Message-ID each time, and different emails have different ones', async () => {
  const idOf = async (mailId: string) => (await writeOut({ mailId }, contextWith({}, {}))).email.messageId;
  assert.equal(await idOf('mail_one_notice'), '<mail_one_notice@pay.example>');
  assert.equal(await idOf('mail_one_notice'), await idOf('mail_one_notice'));
  assert.notEqual(await idOf('mail_two_notice'), await idOf('mail_one_notice'));
});

test('a payment without a supported locale gets emails in the language of its country', async () => {
  const subjectOf = async (locale: string | null, country: string) =>
    (await writeOut({}, contextWith({}, { locale, country }))).email.subject;
  assert.match((await subjectOf(null, 'AT')) ?? '', /^Zahlung erhalten/);
  assert.match((await subjectOf(null, 'TH')) ?? '', /^Payment received/);
  assert.match((await subjectOf('en', 'DE')) ?? '', /^Payment received/);
  assert.match((await subjectOf('th', 'DE')) ?? '', /^Zahlung erhalten/);
});
