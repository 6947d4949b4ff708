import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { contrastRatio } from '../base/colour.ts';
import { assetPaths, checkoutAssets, readAssets } from './assets.ts';

const folder = mkdtempSync(join(tmpdir(), 'checkout-assets-'));
after(() => rmSync(folder, { recursive: true }));

function assetOf(contentType: string): string {
  const asset = checkoutAssets().find((one) => one.contentType.startsWith(contentType));
  assert.ok(asset);
  return asset.bodies.identity.toString('utf8');
}

const css = assetOf('text/css');

test('the path of a file changes with its content only', () => {
  for (const name of ['checkout.css', 'states.css', 'checkout.js', 'icon.svg'])
    writeFileSync(join(folder, name), 'one');
  const url = pathToFileURL(`${folder}/`);
  const before = readAssets(url);
  writeFileSync(join(folder, 'checkout.css'), 'two');
  const now = readAssets(url);
  assert.match(now.css.path, /^\/assets\/checkout\.[0-9a-f]{8}\.css$/);
  assert.notEqual(now.css.path, before.css.path);
  assert.notEqual(now.css.hash, before.css.hash);
  assert.equal(now.css.bodies.identity.toString(), 'twoone');
  assert.equal(now.js.path, before.js.path);
  assert.equal(now.icon.path, before.icon.path);
  writeFileSync(join(folder, 'states.css'), 'two');
  assert.notEqual(readAssets(url).css.path, now.css.path);
});

test('files are served without comments and indentation, and otherwise unchanged', () => {
  writeFileSync(join(folder, 'checkout.css'), '/* why\n   so */\na {\n  color: red; /* here */\n}\n');
  writeFileSync(join(folder, 'states.css'), '/* more */\nb {\n}\n');
  writeFileSync(
    join(folder, 'checkout.js'),
    '// why\nlet a = 1;\n\n  // so\n  a = `http://b`; /x/.test(a);\n',
  );
  const { css, js } = readAssets(pathToFileURL(`${folder}/`));
  assert.equal(css.bodies.identity.toString(), 'a {\ncolor: red; \n}\nb {\n}\n');
  assert.equal(js.bodies.identity.toString(), 'let a = 1;\na = `http://b`; /x/.test(a);\n');
});

test('a missing file throws an error', () => {
  assert.throws(() => readAssets(pathToFileURL(`${folder}/none/`)), { code: 'ENOENT' });
});

test('every path on a page is served', () => {
  const served = checkoutAssets().map((asset) => asset.path);
  assert.deepEqual(Object.values(assetPaths()).sort(), served.sort());
  assert.equal(new Set(served).size, 3);
});

test('the files load nothing else', () => {
  for (const asset of checkoutAssets()) {
    const text = asset.bodies.identity.toString('utf8').replace('http://www.w3.org/2000/svg', '');
    assert.doesNotMatch(
      text,
      /url\(|@import|@font-face|https?:\/\/|\bimport\b|fetch\(|XMLHttp|sendBeacon/,
      asset.path,
    );
  }
});

test('the script stores nothing, evaluates nothing and writes no markup', () => {
  const pattern =
    /Storage|cookie|indexedDB|eval\(|new Function|innerHTML|outerHTML|insertAdjacent|document\.write|console/;
  assert.doesNotMatch(assetOf('text/javascript'), pattern);
});

type Palette = Map<string, string>;

function paletteIn(block: string): Palette {
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]),
  );
}

const [lightBlock = '', darkBlock = ''] = css.split('@media (prefers-color-scheme: dark)');
const palettes: Record<string, Palette> = {
  light: paletteIn(lightBlock),
  dark: paletteIn(darkBlock.slice(0, darkBlock.indexOf('\n}\n'))),
};

function contrast(palette: Palette, one: string, other: string): number {
  const colourOf = (name: string) => palette.get(name) ?? assert.fail(`no colour --${name}`);
  return contrastRatio(colourOf(one), colourOf(other));
}

test('every text has a contrast of at least 4.5 in light and in dark', () => {
  const pairs: [text: string, background: string][] = [
    ['text', 'card'],
    ['text', 'page'],
    ['text', 'field'],
    ['text', 'error-back'],
    ['muted', 'card'],
    ['muted', 'page'],
    ['muted', 'field'],
    ['muted', 'quiet'],
    ['accent', 'card'],
    ['accent', 'page'],
    ['accent', 'quiet'],
    ['on-accent', 'accent'],
    ['on-accent', 'accent-strong'],
    ['error', 'card'],
    ['error', 'error-back'],
    ['good', 'card'],
    ['brand', 'plate'],
    ['visa', 'plate'],
    ['amex', 'plate'],
    ['on-ribbon', 'ribbon'],
  ];
  for (const [scheme, palette] of Object.entries(palettes)) {
    for (const [text, background] of pairs) {
      const ratio = contrast(palette, text, background);
      assert.ok(ratio >= 4.5, `${scheme}: ${text} on ${background} is ${ratio.toFixed(2)}`);
    }
  }
});

test('field borders and the focus ring have a contrast of at least 3 in light and in dark', () => {
  for (const [scheme, palette] of Object.entries(palettes)) {
    for (const [line, background] of [
      ['field-edge', 'card'],
      ['field-edge', 'field'],
      ['ring', 'card'],
      ['ring', 'page'],
    ] as const) {
      const ratio = contrast(palette, line, background);
      assert.ok(ratio >= 3, `${scheme}: ${line} on ${background} is ${ratio.toFixed(2)}`);
    }
  }
});

test('dark mode redefines every colour, and the rules use only these properties', () => {
  assert.deepEqual([...palettes.dark!.keys()], [...palettes.light!.keys()]);
  const rules = css.slice(css.indexOf('\n* {')).replace(/box-shadow:[^;]*;/g, '');
  assert.doesNotMatch(rules, /#[0-9a-f]{3,8}\b|rgb|hsl|oklch/i);
  const used = new Set([...rules.matchAll(/var\(--([\w-]+)\)/g)].map((match) => match[1]!));
  assert.deepEqual([...used].sort(), [...palettes.light!.keys()].sort());
});
