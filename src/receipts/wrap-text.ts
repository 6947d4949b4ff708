// Breaks a text into lines of a given width: at spaces, and inside a word that is longer than a line. Pure
// except for the given measure.

import { graphemesOf } from './fonts.ts';

type WrappedLine = { graphemes: string[]; width: number };

/** The graphemes of a text, split after each space: `a bc` gives `a `, `bc`. */
function wordsOf(text: string): string[][] {
  const words: string[][] = [];
  let isOpen = false;
  for (const grapheme of graphemesOf(text)) {
    const last = words.at(-1);
    if (isOpen && last) last.push(grapheme);
    else words.push([grapheme]);
    isOpen = grapheme !== ' ';
  }
  return words;
}

/**
 * The lines of a text, at most `maxLines`. An ellipsis marks a truncated text. `measure` returns the width of
 * one grapheme.
 */
export function wrapText(
  text: string,
  limits: { width: number; maxLines: number },
  measure: (grapheme: string) => number,
): string[] {
  const lines: WrappedLine[] = [{ graphemes: [], width: 0 }];
  const add = (grapheme: string) => {
    const line = lines.at(-1);
    const width = measure(grapheme);
    if (line && (line.width + width <= limits.width || line.graphemes.length === 0)) {
      line.graphemes.push(grapheme);
      line.width += width;
    } else if (grapheme !== ' ') lines.push({ graphemes: [grapheme], width });
  };
  for (const word of wordsOf(text)) {
    if (lines.length > limits.maxLines) break;
    const inked = word.filter((grapheme) => grapheme !== ' ');
    const width = inked.reduce((sum, grapheme) => sum + measure(grapheme), 0);
    const line = lines.at(-1);
    const isTooLongHere =
      line !== undefined && line.graphemes.length > 0 && line.width + width > limits.width;
    if (isTooLongHere && width <= limits.width) lines.push({ graphemes: [], width: 0 });
    for (const grapheme of word) add(grapheme);
  }
  const kept = lines.slice(0, limits.maxLines).map(({ graphemes }) => graphemes.join('').trimEnd());
  if (lines.length <= limits.maxLines) return kept;
  return [
    ...kept.slice(0, -1),
    `${graphemesOf(kept.at(-1) ?? '')
      .slice(0, -1)
      .join('')}…`,
  ];
}
