// The page of the sandbox's fictitious bank: clearly labelled, safe with any text, complete without scripts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locales } from '../../base/locale.ts';
import { texts } from '../../texts/texts.ts';
import { type ChallengeView, renderChallengePage } from './challenge-page.ts';

const view: ChallengeView = {
  locale: 'en',
  merchantName: 'Blumen',
  amount: '€19.99',
  approveAction: '/sandbox/challenge/1',
  token: 'the-token',
  stylesheet: '/assets/checkout.12345678.css',
  leaveUrl: 'https://pay.example/pay/code/return?a=1&b=2',
};

const skeleton = (page: string) =>
  [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/="[^"]*"/g, '=""'));

test('the page says that the bank is fictitious, and shows the payee and the amount', () => {
  const page = renderChallengePage(view);
  for (const words of ['Sandbox Bank', 'fictitious', 'no real money', '<bdi>Blumen</bdi>', '€19.99']) {
    assert.ok(page.includes(words), words);
  }
});

test('one form posts the token with approve or decline, and a link leaves the page', () => {
  const page = renderChallengePage(view);
  assert.equal(page.split('<form').length, 2);
  assert.match(
    page,
    /<form method="post" action="\/sandbox\/challenge\/1">\s*<input type="hidden" name="token" value="the-token">/,
  );
  assert.deepEqual(
    [...page.matchAll(/name="decision" value="(\w+)"/g)].map((match) => match[1]),
    ['approve', 'decline'],
  );
  assert.ok(page.includes('href="https://pay.example/pay/code/return?a=1&amp;b=2"'));
});

test('no value of the view changes the markup or adds inline scripts or styles', () => {
  const expected = skeleton(renderChallengePage(view));
  for (const text of [
    '"><script>alert(1)</script>',
    "' onclick=x '",
    '\u202Eab\u2069',
    '🎉',
    'x'.repeat(10_000),
  ]) {
    for (const locale of locales) {
      const page = renderChallengePage({
        ...view,
        locale,
        merchantName: text,
        amount: text,
        token: text,
        stylesheet: text,
        approveAction: text,
      });
      assert.deepEqual(skeleton(page), expected);
      assert.doesNotMatch(skeleton(page).join(''), /<script|<style|\sstyle=|\son\w+=/);
    }
  }
  assert.ok(renderChallengePage({ ...view, merchantName: '\u202Eab\u2069' }).includes('<bdi>ab</bdi>'));
});

test('the link to leave is a path or a web address, never a script', () => {
  assert.ok(
    renderChallengePage({ ...view, leaveUrl: '/pay/code/return' }).includes('href="/pay/code/return"'),
  );
  for (const leaveUrl of [
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    'data:text/html,x',
    '',
  ]) {
    assert.throws(() => renderChallengePage({ ...view, leaveUrl }), TypeError);
  }
});

test('the page is in the language of the tag, and in English without one that is supported', () => {
  const table = [
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE', 'de'],
    ['en', 'en'],
    ['th', 'en'],
    ['den', 'en'],
  ] as const;
  for (const [locale, expected] of table) {
    const page = renderChallengePage({ ...view, locale });
    assert.ok(page.includes(`<html lang="${expected}" dir="ltr">`), locale);
    assert.ok(page.includes(texts(expected).challenge.heading), locale);
  }
});
