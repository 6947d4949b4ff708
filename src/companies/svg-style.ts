// The styles of a logo in SVG: reads rules and declarations, and keeps the listed properties. Linear in the text. Pure.

import { checkProperty, referencesIn, SvgError, styleProperties } from './svg-rules.ts';

type Declaration = { property: string; value: string };
export type StyleRule = {
  selectors: readonly string[];
  declarations: readonly Declaration[];
  references: readonly string[];
};

const maxRules = 2_000;

function withoutComments(text: string): string {
  let rest = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf('/*', from);
    if (start < 0) return rest + text.slice(from);
    const end = text.indexOf('*/', start + 2);
    if (end < 0) throw new SvgError('A comment in the styles has no end.');
    rest += `${text.slice(from, start)} `;
    from = end + 2;
  }
}

function declarationsOf(text: string): Declaration[] {
  return text.split(';').flatMap((part) => {
    const colon = part.indexOf(':');
    if (colon < 0) return [];
    const property = part.slice(0, colon).trim().toLowerCase();
    const value = part.slice(colon + 1).trim();
    checkProperty(property, value.replace(/\s{0,9}!important$/i, ''));
    return styleProperties.has(property) && value !== '' ? [{ property, value }] : [];
  });
}

const writeDeclarations = (declarations: readonly Declaration[]): string =>
  declarations.map(({ property, value }) => `${property}:${value}`).join(';');

/** The listed declarations of a `style` attribute, and the parts to which they refer. Throws SvgError. */
export function cleanDeclarations(text: string): { css: string; references: string[] } {
  const bare = withoutComments(text);
  if (/[{}]/.test(bare)) throw new SvgError('A style attribute has braces. Correct it.');
  return { css: writeDeclarations(declarationsOf(bare)), references: referencesIn(bare) };
}

const selector = /^[\w.#*:>+~ -]{1,200}$/;

function selectorsOf(text: string): string[] {
  const selectors = text.split(',').map((one) => one.trim().replaceAll(/\s+/g, ' '));
  if (!selectors.every((one) => selector.test(one)))
    throw new SvgError('The styles have a selector that is not supported. Use class names such as .a.');
  return selectors;
}

/** The rules of a `style` element. Throws SvgError. */
export function readRules(text: string): StyleRule[] {
  const bare = withoutComments(text);
  referencesIn(bare);
  const parts = bare.split('}');
  if (parts.pop()?.trim() !== '' || parts.length > maxRules)
    throw new SvgError(`The styles are not complete, or have more than ${maxRules} rules.`);
  return parts.map((part) => {
    const [head = '', body, ...more] = part.split('{');
    if (body === undefined || more.length > 0)
      throw new SvgError('The styles have nested rules. Use simple ones.');
    const selectors = selectorsOf(head);
    const references = referencesIn(body);
    // Only then is it known which elements refer to the part.
    if (references.length > 0 && !selectors.every((one) => /^\.[\w-]+$/.test(one)))
      throw new SvgError(
        'The styles have url() for a selector other than a class. Use class names such as .a.',
      );
    return { selectors, declarations: declarationsOf(body), references };
  });
}

export const writeRules = (rules: readonly StyleRule[]): string =>
  rules
    .filter(({ declarations }) => declarations.length > 0)
    .map(({ selectors, declarations }) => `${selectors.join(',')}{${writeDeclarations(declarations)}}`)
    .join('');
