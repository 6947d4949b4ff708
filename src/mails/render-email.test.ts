// An email is readable in light and in dark, loads nothing but the logo, and has the same content as HTML and as text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrastRatio } from '../base/colour.ts';
import type { EmailContent } from './email-content.ts';
import { buttonText, darkColours, defaultBrandColour, lightColours } from './email-styles.ts';
import { renderHtml } from './render-email.ts';
import { renderText } from './render-email-text.ts';

const row = (label: string, amount: string, note: string | null = null) => ({ label, note, amount });
const full: EmailContent = {
  locale: 'en',
  brand: {
    name: 'Café Zürich',
    logoUrl: 'https://pay.example/assets/logos/co_1/ab.png',
    color: '#7a1f5c',
  },
  subject: 'Receipt',
  preheader: 'Café Zürich has received your payment.',
  heading: 'Payment received',
  amount: '€19.99',
  lead: 'Café Zürich has received your payment.',
  items: [row('Blue mug', '€19.00', '2 × €9.50'), row('Stamp', '€0.99')],
  moreItems: { label: 'and 2 more items', url: 'https://pay.example/pay/code/receipt' },
  sums: [row('Total', '€19.99'), row('Includes 19% tax', '€3.19')],
  facts: [{ label: 'Order', value: 'A-1042' }],
  button: { label: 'View receipt', url: 'https://pay.example/pay/code/receipt' },
  download: { label: 'Download PDF', url: 'https://pay.example/pay/code/receipt.pdf' },
  foot: 'Questions about your order? Contact Café Zürich.',
  imprint: {
    address: ['Café Zürich', 'Bahnhofstrasse 1', '8001 Zürich'],
    vatId: { label: 'VAT ID', value: 'CHE-123.456.789' },
    links: [
      { label: 'help@shop.example', url: 'mailto:help@shop.example' },
      { label: '+41 44 000 00 00', url: 'tel:+41440000000' },
      { label: 'shop.example', url: 'https://shop.example/' },
      { label: 'Imprint', url: 'https://shop.example/imprint' },
    ],
  },
  warning: 'Test mode: no real money moves.',
};

const shownText = (html: string) =>
  html
    .slice(html.indexOf('<body'))
    .replace(/<div style="display:none[\s\S]*?<\/div>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

test('the text has everything that the HTML shows, and the address of each link', () => {
  const html = renderHtml(full);
  const text = renderText(full);
  const parts = [
    ...[full.warning, full.heading, full.amount, full.lead, full.foot],
    ...[...full.items, ...full.sums].flatMap(({ label, note, amount }) => [label, note, amount]),
    ...full.facts.flatMap(({ label, value }) => [label, value]),
    ...(full.imprint?.address ?? []),
    ...['VAT ID', 'CHE-123.456.789', 'View receipt', 'Download PDF', 'and 2 more items'],
    ...['help@shop.example', '+41 44 000 00 00', 'shop.example', 'Imprint'],
  ].filter((part) => part !== null);
  for (const part of parts) {
    assert.ok(shownText(html).includes(part), `HTML: ${part}`);
    assert.ok(text.includes(part), `text: ${part}`);
  }
  for (const [, url = ''] of html.matchAll(/href="(https:[^"]*)"/g)) assert.ok(text.includes(url), url);
  assert.match(text, /^Blue mug \(2 × €9\.50\): €19\.00$/m);
  assert.match(text, /^https:\/\/shop\.example\/$/m);
  assert.match(text, /^Imprint: https:\/\/shop\.example\/imprint$/m);
});

test('the text names a legal page even if its address has the name', () => {
  const links = [
    { label: 'shop.example', url: 'https://shop.example/' },
    { label: 'Impressum', url: 'https://shop.example/Impressum' },
  ];
  const text = renderText({ ...full, imprint: { address: [], vatId: null, links } });
  assert.match(text, /\nhttps:\/\/shop\.example\/\nImpressum: https:\/\/shop\.example\/Impressum\n$/);
});

test('the only thing that an email loads is the logo, whose alternative text is the name', () => {
  const html = renderHtml(full);
  const images = [...html.matchAll(/<img [^>]*>/g)].map(([image]) => image);
  assert.equal(images.length, 1);
  assert.match(
    images[0] ?? '',
    /src="https:\/\/pay\.example\/assets\/logos\/co_1\/ab\.png" alt="Café Zürich"/,
  );
  assert.doesNotMatch(
    html,
    /<(script|link|iframe|object|form|video|audio)\b|url\(|@import|\son\w+=|background=/i,
  );
  const bare = renderHtml({ ...full, brand: { ...full.brand, logoUrl: null } });
  assert.doesNotMatch(bare, /<img/);
  assert.match(shownText(bare), /^ *Café Zürich/, 'the name stands in its place');
});

test('a list of emails shows the preheader, and the email itself does not', () => {
  const html = renderHtml({ ...full, preheader: 'Only in the list' });
  const body = html.slice(html.indexOf('<body'));
  assert.match(body, /^<body[^>]*>\s*<div style="display:none[^"]*"><bdi>Only in the list<\/bdi>/);
  assert.doesNotMatch(shownText(html), /Only in the list/);
});

test('nothing but a colour gets into a style, and only web, mail and phone addresses into a link', () => {
  for (const color of ['crimson', '#123456;background:url(//evil.example)', '"><script>', '']) {
    const html = renderHtml({ ...full, brand: { ...full.brand, color } });
    assert.ok(html.includes(`background-color:${defaultBrandColour}`), color);
    if (color) assert.ok(!html.includes(color), color);
  }
  assert.ok(renderHtml(full).includes('background-color:#7a1f5c'));
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@b.example?bcc=c@d.example',
    '//x',
  ]) {
    const imprint = { address: [], vatId: null, links: [{ label: 'Imprint', url }] };
    const html = renderHtml({ ...full, imprint, brand: { ...full.brand, logoUrl: url } });
    assert.ok(!html.includes(url), url);
    assert.match(shownText(html), /Imprint/);
  }
});

test('every text has a contrast of at least 4.5 in light and in dark', () => {
  for (const { card, page, ink, muted, warning } of [lightColours, darkColours])
    for (const [text, background] of [
      ...([ink, muted, warning].map((each) => [each, card]) as [string, string][]),
      [muted, page] as const,
    ]) {
      const ratio = contrastRatio(text, background);
      assert.ok(ratio >= 4.5, `${text} on ${background} is ${ratio.toFixed(2)}`);
    }
  assert.ok(contrastRatio(buttonText, defaultBrandColour) >= 4.5);
  assert.ok(contrastRatio(darkColours.edge, darkColours.card) >= 3, 'the edge of a dark button');
});

test('whatever has a colour of light mode has a class that changes it in dark mode', () => {
  const html = renderHtml(full);
  const classOf: Record<string, string> = {
    [lightColours.ink]: 'ink',
    [lightColours.muted]: 'muted',
    [lightColours.line]: 'line',
    [lightColours.page]: 'page',
    [lightColours.warning]: 'warning',
  };
  // The logo is on white also in dark mode.
  const tags = [...html.matchAll(/<(?!img)\w+ [^>]*style="[^"]*"[^>]*>/g)].map(([tag]) => tag);
  assert.ok(tags.length > 20);
  for (const tag of tags)
    for (const [colour, name] of Object.entries(classOf))
      if (tag.includes(colour)) assert.match(tag, new RegExp(`class="[^"]*\\b${name}\\b`), tag);
  for (const name of Object.values(classOf)) assert.ok(html.includes(`\n.${name}{`), name);
});

test('a language from right to left turns the sides, also for mail programs without logical properties', () => {
  const html = renderHtml({ ...full, locale: 'ar' });
  assert.match(html, /<html lang="ar" dir="rtl">/);
  assert.match(html, /<td class="ink line" style="[^"]*padding-right:16px;text-align:left/);
  assert.match(renderHtml(full), /<td class="ink line" style="[^"]*padding-left:16px;text-align:right/);
  assert.doesNotMatch(html, /(padding|margin|border)-(inline|block)|text-align:(start|end)/);
});
