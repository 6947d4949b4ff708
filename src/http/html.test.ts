// Guarantees for pages: foreign text never becomes markup, and never reverses the text around it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Html, html, plainText, userText, webAddress } from './html.ts';

test('a value is escaped in text and in a quoted attribute', () => {
  const value = `<b title='x'>"&"</b>`;
  const escaped = '&lt;b title=&#39;x&#39;&gt;&quot;&amp;&quot;&lt;/b&gt;';
  assert.equal(html`<p title="${value}">${value}</p>`.html, `<p title="${escaped}">${escaped}</p>`);
});

test('markup is kept, lists are joined, and absent values print nothing', () => {
  const items = ['a<', html`<b>b</b>`];
  assert.equal(html`${items}|${null}${undefined}${false}${''}|${0}|${12}`.html, 'a&lt;<b>b</b>||0|12');
});

test('an object that only looks like markup is rejected, alone and in a list', () => {
  const forged: Html = JSON.parse('{"html":"<script>alert(1)</script>"}');
  assert.throws(() => html`${forged}`, TypeError);
  assert.throws(() => html`${[forged]}`, TypeError);
  const copied: Html = { ...html`<b>` };
  assert.throws(() => html`${copied}`, TypeError);
});

test('markup is immutable', () => {
  const piece = html`<b>safe</b>`;
  assert.throws(() => Object.assign(piece, { html: '<script>' }), TypeError);
  assert.equal(html`${piece}`.html, '<b>safe</b>');
});

test('foreign text is isolated and cannot change the writing direction', () => {
  for (const code of [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]) {
    assert.equal(userText(`a${String.fromCodePoint(code)}b`).html, '<bdi>ab</bdi>');
  }
  assert.equal(userText('שלום <i>').html, '<bdi>שלום &lt;i&gt;</bdi>');
});

test('plain text is one line without control characters, and emoji survive', () => {
  assert.equal(plainText('a\r\n\tb\u0000c\u2028d\u2029e\u0085f'), 'a b c d e f');
  assert.equal(plainText('👩‍👩‍👧 ok'), '👩‍👩‍👧 ok');
  assert.equal(plainText('half \ud83d!'), 'half \ufffd!');
});

test('only http and https addresses may become links', () => {
  assert.equal(webAddress('https://shop.example/a?b=1'), 'https://shop.example/a?b=1');
  assert.equal(webAddress('http://127.0.0.1:3000/'), 'http://127.0.0.1:3000/');
  for (const url of [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,x',
    '/path',
    '',
    undefined,
  ]) {
    assert.equal(webAddress(url), null);
  }
});
