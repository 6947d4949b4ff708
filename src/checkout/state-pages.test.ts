// What each status page offers, and what it must not say.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locales } from '../base/locale.ts';
import { pageAssets } from './branding.ts';
import { renderShopPage, type ShopView } from './shop-page.ts';
import { type PageState, renderStatePage, type StateView } from './state-pages.ts';
import { texts } from './texts.ts';

const frame = { locale: 'en' as const, merchantName: 'Blumen', assets: pageAssets(null), sandbox: false };

const view: StateView = {
  frame,
  amountMinor: 1999,
  currency: 'EUR',
  customerOrderId: 'order-77',
  at: new Date('2026-11-20T12:00:00Z'),
  refreshPath: '/pay/code/wait',
  returnUrl: 'https://shop.example/back?a=1&b=2',
  resumePath: '/challenge',
  abandonPath: '/pay/code/abandon',
  formToken: 'the-token',
  requestId: 'req_123',
};

function pageOf(state: PageState, changes: Partial<StateView> = {}): string {
  return renderStatePage(state, { ...view, ...changes }).html;
}

test('each state says in its own language what happened to the money and what to do next', () => {
  for (const locale of locales) {
    const all = texts(locale).states;
    for (const state of ['paid', 'failed', 'unknown', 'not_found', 'error', 'too_many'] as const) {
      const page = pageOf(state, { frame: { ...frame, locale } }).replace(/<\/?bdi>/g, '');
      const { heading, money, next } = all[state];
      for (const sentence of [heading, money, next]) {
        assert.ok(page.includes(sentence.replace('{merchant}', 'Blumen')), `${locale} ${state}: ${sentence}`);
      }
    }
  }
});

test('where money is on its way back, no page of an end says that nothing was charged, or once', () => {
  for (const locale of locales) {
    const { states, sentBack } = texts(locale);
    for (const state of ['paid', 'failed', 'expired', 'cancelled'] as const) {
      const page = pageOf(state, { frame: { ...frame, locale }, isMoneySentBack: true });
      const plain = page.replace(/<\/?bdi>/g, '');
      const said = state === 'paid' ? sentBack.paid : sentBack.unpaid;
      assert.ok(plain.includes(said.replace('{merchant}', 'Blumen')), `${locale} ${state}`);
      assert.ok(!plain.includes(states[state].money.replace('{merchant}', 'Blumen')), `${locale} ${state}`);
    }
  }
});

test('waiting pages load themselves again without script after two seconds, and can be asked to check now', () => {
  for (const state of ['processing', 'unknown'] as const) {
    const page = pageOf(state);
    assert.ok(
      page.includes('<noscript><meta http-equiv="refresh" content="2;url=/pay/code/wait"></noscript>'),
    );
    assert.ok(page.includes('<body data-refresh="/pay/code/wait" data-seconds="2">'));
    assert.ok(page.includes('href="/pay/code/wait">Check now</a>'));
    assert.match(page, /[Dd]o not pay again/);
  }
  for (const state of [
    'paid',
    'failed',
    'expired',
    'cancelled',
    'requires_action',
    'error',
    'too_many',
  ] as const) {
    assert.doesNotMatch(pageOf(state), /refresh|\/wait/, state);
  }
});

test('finished pages lead back to the merchant, by http and https only', () => {
  for (const state of ['paid', 'failed', 'expired', 'cancelled'] as const) {
    const page = pageOf(state);
    assert.ok(
      page.includes('href="https://shop.example/back?a=1&amp;b=2">Back to <bdi>Blumen</bdi></a>'),
      state,
    );
    assert.doesNotMatch(pageOf(state, { returnUrl: 'javascript:alert(1)' }), /<a |javascript/, state);
  }
  for (const state of [
    'processing',
    'unknown',
    'requires_action',
    'error',
    'too_many',
    'not_found',
  ] as const) {
    assert.doesNotMatch(pageOf(state), /shop\.example/, state);
  }
});

test('a confirmation can be continued, or given up by a post that carries the token', () => {
  const page = pageOf('requires_action');
  assert.ok(page.includes('href="/challenge">Continue to your bank</a>'));
  assert.match(
    page,
    /<form class="leave" method="post" action="\/pay\/code\/abandon">\s*<input type="hidden" name="form_token" value="the-token">/,
  );
  assert.doesNotMatch(pageOf('processing'), /<form|\/challenge/);
});

test('who pays elsewhere reads of that place on every page, and never of a bank or a card', () => {
  for (const locale of locales) {
    for (const state of ['processing', 'requires_action', 'leaving', 'unknown', 'paid'] as const) {
      for (const isMoneySentBack of [false, true]) {
        const page = pageOf(state, { frame: { ...frame, locale }, title: 'Paypond', isMoneySentBack });
        const main = (/<main[\s\S]*<\/main>/.exec(page)?.[0] ?? '').replace(/<[^>]*>/g, '');
        assert.match(main, /Paypond/, `${locale} ${state}`);
        assert.doesNotMatch(main, /\b(bank|card|Karte|Bank)\b/, `${locale} ${state}`);
      }
    }
    for (const state of ['failed', 'expired', 'cancelled'] as const) {
      const page = pageOf(state, { frame: { ...frame, locale }, title: 'Paypond', isMoneySentBack: true });
      assert.ok(page.includes(texts(locale).sentBack.unpaidThere), `${locale} ${state}`);
    }
  }
});

test('what a processor keeps open is told with its end, and no other way is offered until then', () => {
  const keptUntil = new Date('2026-11-20T13:05:00Z');
  const kept = pageOf('requires_action', { title: 'Paypond', keptUntil });
  assert.match(kept, /Paypond keeps this payment open until <time datetime="2026-11-20T13:05:00\.000Z">/);
  assert.ok(kept.includes('href="/challenge">Go on at Paypond</a>'));
  assert.doesNotMatch(kept, /another way|<form/);
  assert.match(pageOf('requires_action', { title: 'Paypond' }), /Pay another way<\/button>/);
});

test('the page that leads away is a link without any form, and does not load itself again', () => {
  const page = pageOf('leaving', { title: 'Paypond' });
  assert.ok(page.includes('class="button" href="/challenge">Go on at Paypond</a>'));
  assert.doesNotMatch(page, /<form|data-refresh|http-equiv/);
});

test('the page of an unknown code names no merchant, no amount and no order', () => {
  assert.doesNotMatch(pageOf('not_found'), /Blumen|19\.99|order-77|shop\.example/);
});

test('the page of a fault shows the request id, and no other page does', () => {
  assert.match(pageOf('error'), /req_123/);
  for (const state of ['paid', 'not_found', 'too_many', 'unknown'] as const) {
    assert.doesNotMatch(pageOf(state), /req_123/, state);
  }
});

test('a fault without a known payment still makes a page, without empty places', () => {
  const page = renderStatePage('error', { frame: { ...frame, merchantName: '' } }).html;
  assert.doesNotMatch(page, /<bdi><\/bdi>|undefined|null|<dl/);
  assert.match(page, /<title>Something went wrong on our side<\/title>/);
});

test('a card of an unknown brand is told by its last four digits', () => {
  assert.match(pageOf('paid', { card: { brand: 'card', last4: '9011' } }), /<dd>ending in 9011<\/dd>/);
  assert.match(
    pageOf('paid', { card: { brand: 'Mastercard', last4: '4444' } }),
    /<dd>Mastercard ending in 4444<\/dd>/,
  );
});

const shop: ShopView = {
  frame,
  outcome: 'success',
  checks: { verified: true },
  result: { status: 'paid', amount: '19.99' },
};

test('the demo shop believes a verified result that says the same as the address', () => {
  const text = texts('en').shop;
  const paid = renderShopPage(shop).html;
  assert.ok(paid.includes(text.success.heading) && paid.includes(text.verified));
  assert.match(paid, /<th scope="row"><bdi>amount<\/bdi><\/th><td><bdi>19\.99<\/bdi><\/td>/);
  const failed = renderShopPage({ ...shop, outcome: 'failure', result: { status: 'failed' } }).html;
  assert.ok(failed.includes(text.failure.heading));
});

test('the demo shop never says paid on the word of the address alone', () => {
  const text = texts('en').shop;
  const forged = renderShopPage({ ...shop, checks: { verified: false, reason: 'bad signature' } }).html;
  const contradiction = renderShopPage({ ...shop, result: { status: 'failed' } }).html;
  const empty = renderShopPage({ ...shop, checks: { verified: false }, result: null }).html;
  for (const page of [forged, contradiction, empty]) {
    assert.ok(page.includes(text.doubtful.heading));
    assert.ok(!page.includes(text.success.heading) && !page.includes(text.success.lead));
  }
  assert.match(forged, /Not verified\. <bdi>bad signature<\/bdi>/);
  assert.ok(contradiction.includes(text.contradiction));
  assert.ok(empty.includes(text.noClaims));
});
