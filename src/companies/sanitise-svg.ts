// Sanitises a logo in SVG: parses it strictly, keeps the listed elements and attributes, and writes those. Nothing of
// the file itself is stored. Must not: resolve an entity, keep a reference to anything outside, or correct a file by guessing.

import { SaxesParser, type SaxesTagNS } from 'saxes';
import {
  checkAttribute,
  describingElements,
  drawingElements,
  isDrawingAttribute,
  namingAttributes,
  referenceOf,
  referencesIn,
  referringElements,
  refusedElements,
  SvgError,
} from './svg-rules.ts';
import { cleanDeclarations, readRules, type StyleRule, writeRules } from './svg-style.ts';
import { attributeOf, checkDrawnElements, type SvgElement, writeElement } from './svg-tree.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';
const xlinkNamespace = 'http://www.w3.org/1999/xlink';
const maxDepth = 64;
const maxElements = 10_000;
const maxSide = 100_000;

function refuseElement(name: string, line: number): void {
  const what = Object.hasOwn(refusedElements, name) ? refusedElements[name] : undefined;
  if (what) throw new SvgError(`The file has ${what} (line ${line}).`);
}

type Kept = Pick<SvgElement, 'attributes' | 'references'>;

/** Adds an attribute if it is listed. Throws SvgError if it could load or run something. */
function keepAttribute(kept: Kept, element: string, { name, value }: { name: string; value: string }): void {
  if (name === 'href') {
    if (!referringElements.has(element)) return;
    kept.references.push(referenceOf(value));
    kept.attributes.push([name, value.trim()]);
  } else if (name === 'style') {
    const { css, references } = cleanDeclarations(value);
    kept.references.push(...references);
    if (css !== '') kept.attributes.push([name, css]);
  } else if (namingAttributes.has(name)) {
    kept.attributes.push([name, value]);
  } else {
    checkAttribute(name, value);
    if (!isDrawingAttribute(name)) return;
    kept.references.push(...referencesIn(value));
    kept.attributes.push([name, value]);
  }
}

function keepAttributes(tag: SaxesTagNS, line: number): Kept {
  const kept: Kept = { attributes: [], references: [] };
  for (const { uri, prefix, local, value } of Object.values(tag.attributes)) {
    if (/^on/i.test(local))
      throw new SvgError(`The file has event handlers, such as ${local} (line ${line}).`);
    if (tag.local === 'style' && local === 'media')
      throw new SvgError(
        `A style element has a media attribute (line ${line}). Send a dark variant as its own file.`,
      );
    // Browsers read xlink:href only without an href.
    const isOldHref = uri === xlinkNamespace && local === 'href' && !Object.hasOwn(tag.attributes, 'href');
    if (uri === '' ? prefix === '' : isOldHref) keepAttribute(kept, tag.local, { name: local, value });
  }
  return kept;
}

/** The text of these elements belongs to the picture. */
const textElements: ReadonlySet<string> = new Set(['text', 'tspan', 'style']);

type Opened = SvgElement | null;

/** The open elements of a file; null for one that is left out. */
function openTree(parser: SaxesParser<{ xmlns: true }>) {
  const stack: Opened[] = [];
  let root: SvgElement | null = null;
  let count = 0;

  const open = (tag: SaxesTagNS): Opened => {
    refuseElement(tag.local, parser.line);
    const parent = stack.at(-1);
    const kept = keepAttributes(tag, parser.line);
    if (parent === undefined) {
      if (tag.local !== 'svg' || tag.uri !== svgNamespace)
        throw new SvgError(`The file does not begin with <svg xmlns="${svgNamespace}">.`);
      root = { name: 'svg', children: [], ...kept };
      return root;
    }
    if (parent === null || tag.uri !== svgNamespace || describingElements.has(tag.local)) return null;
    if (!drawingElements.has(tag.local))
      throw new SvgError(
        `The element <${tag.local}> is not supported (line ${parser.line}). Export the logo as paths.`,
      );
    const element: SvgElement = { name: tag.local, children: [], ...kept };
    parent.children.push(element);
    return element;
  };

  parser.on('opentag', (tag) => {
    count += 1;
    if (count > maxElements)
      throw new SvgError(`The file has more than ${maxElements} elements. Simplify it.`);
    if (stack.length >= maxDepth)
      throw new SvgError(`Elements are nested more than ${maxDepth} deep. Simplify it.`);
    stack.push(open(tag));
  });
  parser.on('closetag', () => void stack.pop());
  const addText = (text: string) => {
    const element = stack.at(-1);
    if (element && textElements.has(element.name)) element.children.push(text);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  return () => root;
}

function parse(text: string): SvgElement {
  const parser = new SaxesParser({ xmlns: true });
  const rootOf = openTree(parser);
  parser.on('doctype', () => {
    throw new SvgError(
      'The file has a DOCTYPE, which can declare entities. Remove the line that begins with <!DOCTYPE.',
    );
  });
  parser.on('processinginstruction', () => {
    throw new SvgError('The file has a processing instruction, such as <?xml-stylesheet. Remove it.');
  });
  parser.on('xmldecl', ({ version, encoding }) => {
    // Later versions allow characters that this one, as which the result is read, does not.
    if (version !== '1.0')
      throw new SvgError('The file declares another version of XML. Write version="1.0".');
    if (encoding !== undefined && !/^(utf-8|us-ascii)$/i.test(encoding))
      throw new SvgError(`The file declares the encoding ${encoding.slice(0, 40)}. Save it as UTF-8.`);
  });
  parser.on('error', (error) => {
    throw new SvgError(`The file is not well-formed XML: ${error.message.slice(0, 200)}`);
  });
  parser.write(text).close();
  const root = rootOf();
  if (!root) throw new SvgError('The file is empty.');
  return root;
}

/** Replaces the texts of the `style` elements by their listed rules. */
function cleanStyles(element: SvgElement): StyleRule[] {
  if (element.name !== 'style')
    return element.children.flatMap((child) => (typeof child === 'string' ? [] : cleanStyles(child)));
  if (element.children.some((child) => typeof child !== 'string'))
    throw new SvgError('A style element has other elements in it.');
  const rules = readRules(element.children.join(''));
  const css = writeRules(rules);
  Object.assign(element, { children: css === '' ? [] : [css], attributes: [] });
  return rules;
}

const readLength = (text: string | undefined): number | null => {
  const number = /^\s*(\d{1,9}(?:\.\d{1,9})?)(?:px)?\s*$/.exec(text ?? '')?.[1];
  return number === undefined ? null : Number(number);
};

/** A side of the view; if the other side has a length, in proportion to it. */
function scale(side: number | undefined, otherLength: number | null, otherSide: number | undefined) {
  if (side === undefined || otherSide === undefined || otherLength === null) return side;
  return Math.round(((otherLength * side) / otherSide) * 1_000) / 1_000;
}

/** Gives the picture a size of its own, so that a page can show it at any height. */
function setSize(root: SvgElement): void {
  const box = (attributeOf(root, 'viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const hasBox = box.length === 4 && box.every(Number.isFinite) && Math.min(box[2] ?? 0, box[3] ?? 0) > 0;
  const [boxWidth, boxHeight] = hasBox ? [box[2] as number, box[3] as number] : [];
  const given = {
    width: readLength(attributeOf(root, 'width')),
    height: readLength(attributeOf(root, 'height')),
  };
  const width = given.width ?? scale(boxWidth, given.height, boxHeight);
  const height = given.height ?? scale(boxHeight, given.width, boxWidth);
  const isGood = (side: number | undefined) => side !== undefined && side > 0 && side <= maxSide;
  if (width === undefined || height === undefined || !isGood(width) || !isGood(height))
    throw new SvgError('The picture has no size. Give it a viewBox such as "0 0 240 80".');
  const others = root.attributes.filter(([name]) => !['viewBox', 'width', 'height', 'x', 'y'].includes(name));
  root.attributes = [
    ['xmlns', svgNamespace],
    ['width', String(width)],
    ['height', String(height)],
    ['viewBox', hasBox ? box.join(' ') : `0 0 ${width} ${height}`],
    ...others,
  ];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new SvgError('The file has bytes that are not UTF-8. Save it as UTF-8.');
  }
}

/** The picture without anything that could load, run or move. Throws SvgError, with a sentence that says what to do. */
export function sanitiseSvg(bytes: Uint8Array): Buffer {
  const root = parse(decode(bytes));
  const rules = cleanStyles(root);
  checkDrawnElements(root, rules);
  setSize(root);
  const written = writeElement(root);
  // Whatever was overlooked above: nothing is stored that is not well-formed.
  parse(written);
  return Buffer.from(written);
}
