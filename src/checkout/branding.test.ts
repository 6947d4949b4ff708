// The stylesheet of a company's colour: what is drawn with it stays readable in light and in dark.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrastRatio } from '../base/colour.ts';
import { measureContrast } from '../companies/check-company.ts';
import { brandedStylesheet } from './branding.ts';

type Palette = Record<string, string>;

/** The values of a block such as `--card: #ffffff;`, the last one of each name. */
const valuesIn = (block: string): Palette =>
  Object.fromEntries(
    [...block.matchAll(/--([\w-]+): ?(#[0-9a-f]{6})/g)].map(([, name = '', value = '']) => [name, value]),
  );

/** The rules of a selector in a stylesheet, outside and inside the dark blocks. */
function rulesOf(css: string, selector: string): { light: string; dark: string } {
  const parts = css.split(/(@media \(prefers-color-scheme: ?dark\) ?\{[\s\S]*?\n?\}\n?\})/);
  const own = (part: string) =>
    [...part.matchAll(/([^{}\n]+?) ?\{([^{}]*)\}/g)]
      .filter(([, name]) => name?.trim() === selector)
      .map(([, , rules]) => rules)
      .join(';');
  const isDark = (part: string) => part.startsWith('@media');
  return {
    light: parts
      .filter((part) => !isDark(part))
      .map(own)
      .join(';'),
    dark: parts
      .filter(isDark)
      .map((part) => own(part.slice(part.indexOf('{') + 1)))
      .join(';'),
  };
}

function palettesOf(color: string): Record<'light' | 'dark', { page: Palette; button: Palette }> {
  const css = brandedStylesheet(color).bodies.identity.toString();
  const [root, main] = [rulesOf(css, ':root'), rulesOf(css, '.button:not(.quiet)')];
  const [light, dark] = [valuesIn(root.light), { ...valuesIn(root.light), ...valuesIn(root.dark) }];
  return {
    light: { page: light, button: { ...light, ...valuesIn(main.light) } },
    dark: { page: dark, button: { ...dark, ...valuesIn(main.light), ...valuesIn(main.dark) } },
  };
}

const pairs: readonly [line: string, ground: string, least: number][] = [
  ['accent', 'card', 4.5],
  ['accent', 'page', 4.5],
  ['accent', 'field', 4.5],
  ['accent', 'quiet', 4.5],
  ['ring', 'card', 3],
  ['ring', 'page', 3],
];

function checkColour(color: string): void {
  for (const [scheme, { page, button }] of Object.entries(palettesOf(color))) {
    const ratio = (palette: Palette, one: string, other: string) =>
      contrastRatio(palette[one] ?? assert.fail(one), palette[other] ?? assert.fail(other));
    for (const [line, ground, least] of pairs) {
      const found = ratio(page, line, ground);
      assert.ok(found >= least, `${color}, ${scheme}: ${line} on ${ground} is ${found.toFixed(2)}`);
    }
    for (const ground of ['accent', 'accent-strong'])
      assert.ok(ratio(button, 'on-accent', ground) >= 4.5, `${color}, ${scheme}: white on ${ground}`);
    assert.equal(button.accent, color, 'the main button has the colour itself');
  }
}

test('every accepted colour keeps links, marks, buttons and the focus ring readable in light and in dark', () => {
  const channel = fc.integer({ min: 0, max: 255 });
  const anyColour = fc
    .tuple(channel, channel, channel)
    .map((channels) => `#${channels.map((one) => one.toString(16).padStart(2, '0')).join('')}`)
    .filter((color) => measureContrast(color).isReadable);
  for (const color of ['#000000', '#767676', '#0000ff', '#1849a9', '#aa1122', '#008000']) checkColour(color);
  fc.assert(fc.property(anyColour, checkColour), { numRuns: 1_000 });
});

test('links and marks have the colour itself on light pages where it is readable, and a lighter shade on dark pages', () => {
  const { light, dark } = palettesOf('#7a1fa2');
  assert.equal(light.page.accent, '#7a1fa2');
  assert.notEqual(dark.page.accent, '#7a1fa2');
  assert.ok(contrastRatio(dark.page.accent ?? '', '#ffffff') < contrastRatio('#7a1fa2', '#ffffff'));
});
