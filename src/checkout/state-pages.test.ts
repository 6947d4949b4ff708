import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locales } from '../base/locale.ts';
import { pageTexts } from '../texts/texts.ts';
import { pageAssets } from './branding.ts';
import { renderShopPage, type ShopView } from './shop-page.ts';
import { type PageState, renderStatePage, type StateView } from './state-pages.ts';

const frame = { locale: 'en' as const, merchantName: 'Blumen', assets: pageAssets(null), isTestMode: false };

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

test('each status page says what happened to the money and what to do next, in its language', () => {
  for (const locale of locales) {
    const all = pageTexts(locale).states;
    for (const state of ['paid', 'failed', 'unknown', 'not_found', 'error', 'too_many'] as const) {
      const page = pageOf(state, { frame: { ...frame, locale } }).replace(/<\/?bdi>/g, '');
      const { heading, money, next } = all[state];
      for (const sentence of [heading, money, next]) {
        assert.ok(page.includes(sentence.replace('{merchant}', 'Blumen')), `${locale} ${state}: ${sentence}`);
      }
    }
  }
});

test('while an overpayment is refunded, no final page says that nothing was charged, or only once', () => {
  for (const locale of locales) {
    const { states, overpayment } = pageTexts(locale);
    for (const state of ['paid', 'failed', 'expired', 'cancelled'] as const) {
      const page = pageOf(state, { frame: { ...frame, locale }, overpaymentRefund: 'in_progress' });
      const plain = page.replace(/<\/?bdi>/g, '');
      const said = state === 'paid' ? overpayment.in_progress.paid : overpayment.in_progress.unpaid;
      assert.ok(plain.includes(said.replace('{merchant}', 'Blumen')), `${locale} ${state}`);
      assert.ok(!plain.includes(states[state].money.replace('{merchant}', 'Blumen')), `${locale} ${state}`);
    }
  }
});

test('waiting pages reload after two seconds without script, and have a button to check now', () => {
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

test('final pages link back to the merchant, by http or https only', () => {
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

test('a failed or expired page asks for a new link by a POST with the token, and then says only that the merchant was notified', () => {
  const requestPath = '/pay/code/request-link';
  for (const state of ['failed', 'expired'] as const) {
    const page = pageOf(state, { requestPath });
    assert.match(
      page,
      /<form class="leave" method="post" action="\/pay\/code\/request-link">\s*<input type="hidden" name="form_token" value="the-token">\s*<button [^>]*>Ask for a new link</,
    );
    assert.match(page, /ask <bdi>Blumen<\/bdi> for a new link/);
    const requested = pageOf(state, { requestPath, isLinkRequested: true });
    assert.doesNotMatch(requested, /<form|for a new link/);
    assert.match(requested, /We’ve notified <bdi>Blumen<\/bdi>\. They can send you a new link\./);
    assert.match(requested, /You have not been charged.*Back to <bdi>Blumen/s);
  }
  for (const state of ['paid', 'cancelled', 'processing', 'no_method', 'error'] as const)
    assert.doesNotMatch(pageOf(state, { requestPath }), /request-link/, state);
});

test('a bank confirmation can be continued, or cancelled by a POST with the token', () => {
  const page = pageOf('requires_action');
  assert.ok(page.includes('href="/challenge">Continue to your bank</a>'));
  assert.match(
    page,
    /<form class="leave" method="post" action="\/pay\/code\/abandon">\s*<input type="hidden" name="form_token" value="the-token">/,
  );
  assert.doesNotMatch(pageOf('processing'), /<form|\/challenge/);
});

test('pages of a payment at a processor name that processor, and no bank or card', () => {
  for (const locale of locales) {
    for (const state of ['processing', 'requires_action', 'leaving', 'unknown', 'paid'] as const) {
      for (const overpaymentRefund of [null, 'in_progress', 'complete'] as const) {
        const page = pageOf(state, { frame: { ...frame, locale }, title: 'Paypond', overpaymentRefund });
        const main = (/<main[\s\S]*<\/main>/.exec(page)?.[0] ?? '').replace(/<[^>]*>/g, '');
        assert.match(main, /Paypond/, `${locale} ${state}`);
        assert.doesNotMatch(main, /\b(bank|card|Karte|Bank)\b/, `${locale} ${state}`);
      }
    }
    for (const state of ['failed', 'expired', 'cancelled'] as const) {
      const page = pageOf(state, {
        frame: { ...frame, locale },
        title: 'Paypond',
        overpaymentRefund: 'in_progress',
      });
      assert.ok(
        page.includes(pageTexts(locale).overpayment.in_progress.unpaidAtProcessor),
        `${locale} ${state}`,
      );
    }
  }
});

test('the page of an attempt that the processor keeps open shows until when, and offers no other method', () => {
  const openUntil = new Date('2026-11-20T13:05:00Z');
  const kept = pageOf('requires_action', { title: 'Paypond', openUntil });
  assert.match(kept, /Paypond keeps this payment open until <time datetime="2026-11-20T13:05:00\.000Z">/);
  assert.ok(kept.includes('href="/challenge">Continue to Paypond</a>'));
  assert.doesNotMatch(kept, /another way|<form/);
  assert.match(pageOf('requires_action', { title: 'Paypond' }), /Pay another way<\/button>/);
});

test('the redirect page has a link, no form, and does not reload', () => {
  const page = pageOf('leaving', { title: 'Paypond' });
  assert.ok(page.includes('class="button" href="/challenge">Continue to Paypond</a>'));
  assert.doesNotMatch(page, /<form|data-refresh|http-equiv/);
});

test('the page of an unknown code names no merchant, amount or order', () => {
  assert.doesNotMatch(pageOf('not_found'), /Blumen|19\.99|order-77|shop\.example/);
});

test('only the error page shows the request ID', () => {
  assert.match(pageOf('error'), /req_123/);
  for (const state of ['paid', 'not_found', 'too_many', 'unknown'] as const) {
    assert.doesNotMatch(pageOf(state), /req_123/, state);
  }
});

test('an error without a known payment gives a page without empty fields', () => {
  const page = renderStatePage('error', { frame: { ...frame, merchantName: '' } }).html;
  assert.doesNotMatch(page, /<bdi><\/bdi>|undefined|null|<dl/);
  assert.match(page, /<title>Something went wrong on our side<\/title>/);
});

test('a card of an unknown brand is shown by its last four digits', () => {
  assert.match(pageOf('paid', { card: { brand: 'card', last4: '9011' } }), /<dd>ending in 9011<\/dd>/);
  assert.match(
    pageOf('paid', { card: { brand: 'Mastercard', last4: '4444' } }),
    /<dd>Mastercard ending in 4444<\/dd>/,
  );
});

const shop: ShopView = {
  frame,
  outcome: 'success',
  verification: { verified: true },
  result: { status: 'paid', amount: '19.99' },
};

test('the demo shop trusts a verified result that matches the URL', () => {
  const text = pageTexts('en').shop;
  const paid = renderShopPage(shop).html;
  assert.ok(paid.includes(text.success.heading) && paid.includes(text.verified));
  assert.match(paid, /<th scope="row"><bdi>amount<\/bdi><\/th><td><bdi>19\.99<\/bdi><\/td>/);
  const failed = renderShopPage({ ...shop, outcome: 'failure', result: { status: 'failed' } }).html;
  assert.ok(failed.includes(text.failure.heading));
});

test('the demo shop never says paid because of the URL alone', () => {
  const text = pageTexts('en').shop;
  const forged = renderShopPage({ ...shop, verification: { verified: false, reason: 'bad signature' } }).html;
  const contradiction = renderShopPage({ ...shop, result: { status: 'failed' } }).html;
  const empty = renderShopPage({ ...shop, verification: { verified: false }, result: null }).html;
  for (const page of [forged, contradiction, empty]) {
    assert.ok(page.includes(text.unverified.heading));
    assert.ok(!page.includes(text.success.heading) && !page.includes(text.success.lead));
  }
  assert.match(forged, /Not verified\. <bdi>bad signature<\/bdi>/);
  assert.ok(contradiction.includes(text.contradiction));
  assert.ok(empty.includes(text.noClaims));
});
