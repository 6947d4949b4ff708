// The elements of a logo in SVG as a tree: how much they draw, and their text. Pure.

import { SvgError } from './svg-rules.ts';
import type { StyleRule } from './svg-style.ts';

export type SvgElement = {
  name: string;
  attributes: [name: string, value: string][];
  children: (SvgElement | string)[];
  /** The IDs of the parts to which it refers by its own attributes. */
  references: string[];
};

export const maxDrawnElements = 20_000;
/** Bounds the stack: elements in elements, and references of references. */
const maxOpenElements = 500;

export const attributeOf = ({ attributes }: SvgElement, name: string): string | undefined =>
  attributes.find(([own]) => own === name)?.[1];

/** Elements by their ID; of several with one ID, browsers take the first. */
function indexById(root: SvgElement): Map<string, SvgElement> {
  const byId = new Map<string, SvgElement>();
  const visit = (element: SvgElement) => {
    const id = attributeOf(element, 'id');
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    for (const child of element.children) if (typeof child !== 'string') visit(child);
  };
  visit(root);
  return byId;
}

type ById = ReadonlyMap<string, SvgElement>;

/**
 * The parts to which the rules of each class refer, in a list per rule. Each list is made once and is not empty: otherwise
 * thousands of elements with thousands of rules would be visited without being counted.
 */
function partsByClass(rules: readonly StyleRule[], byId: ById): Map<string, Set<readonly SvgElement[]>> {
  const byClass = new Map<string, Set<readonly SvgElement[]>>();
  for (const { selectors, references } of rules) {
    const parts = [...new Set(references)].flatMap((id) => byId.get(id) ?? []);
    for (const selector of parts.length > 0 ? selectors : []) {
      const name = selector.slice(1);
      const lists = byClass.get(name) ?? new Set();
      byClass.set(name, lists.add(parts));
    }
  }
  return byClass;
}

/** The parts that an element draws: those inside, and those to which it refers. */
function* drawnParts(
  element: SvgElement,
  byId: ById,
  byClass: ReturnType<typeof partsByClass>,
): Iterable<SvgElement> {
  for (const child of element.children) if (typeof child !== 'string') yield child;
  for (const id of element.references) {
    const part = byId.get(id);
    if (part) yield part;
  }
  for (const name of new Set((attributeOf(element, 'class') ?? '').split(/\s+/)))
    for (const parts of byClass.get(name) ?? []) yield* parts;
}

/**
 * Throws SvgError if the picture would draw too many elements when its references are followed, or refers to itself: ten
 * levels of ten references each are a hundred bytes each, and draw ten billion elements. Each step counts at least one
 * element, so the limit bounds the work as well.
 */
export function checkDrawnElements(root: SvgElement, rules: readonly StyleRule[]): void {
  const byId = indexById(root);
  const byClass = partsByClass(rules, byId);
  const counts = new Map<SvgElement, number>();
  const open = new Set<SvgElement>();
  const count = (element: SvgElement): number => {
    const known = counts.get(element);
    if (known !== undefined) return known;
    if (open.has(element))
      throw new SvgError('A part of the picture refers to itself. Remove the reference.');
    if (open.size >= maxOpenElements)
      throw new SvgError('References lead from part to part too often. Simplify it.');
    open.add(element);
    let sum = 1;
    for (const part of drawnParts(element, byId, byClass)) {
      sum += count(part);
      if (sum > maxDrawnElements)
        throw new SvgError(`The picture draws more than ${maxDrawnElements} elements. Simplify it.`);
    }
    open.delete(element);
    counts.set(element, sum);
    return sum;
  };
  count(root);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string) =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
/** White space in an attribute would become a blank when it is read again. */
const escapeValue = (text: string) => escapeText(text.replaceAll(/[\t\n\r]/g, ' '));

export function writeElement({ name, attributes, children }: SvgElement): string {
  const written = attributes.map(([own, value]) => ` ${own}="${escapeValue(value)}"`).join('');
  if (children.length === 0) return `<${name}${written}/>`;
  const inside = children.map((child) =>
    typeof child === 'string' ? escapeText(child) : writeElement(child),
  );
  return `<${name}${written}>${inside.join('')}</${name}>`;
}
