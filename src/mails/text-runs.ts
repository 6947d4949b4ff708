// Decides which font prints which part of a text, and in which direction. The first font of the chain that has all
// of a grapheme prints it. If none has it, the replacement mark is printed. In a line from left to right, runs of
// right-to-left letters stay whole and are reversed. Pure except for the fonts that it queries.

/** What a font knows about itself. */
export type Glyphs = { hasGlyphForCodePoint(codePoint: number): boolean };

export type Run = { text: string; fontIndex: number; isRightToLeft: boolean };

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}]/u;
const strong = /\p{L}|\p{N}/u;
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;
const replacement = '\uFFFD';

// Letters that are graphemes by themselves, whatever is adjacent.
const single = /^[\x20-\x7e\xa0-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u20a0-\u20bf]*$/;

/** The graphemes of a text: what a person takes for single characters. */
export function graphemesOf(text: string): string[] {
  // A fast path without font queries, for most texts.
  if (single.test(text)) return [...text];
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function has(font: Glyphs, text: string): boolean {
  return [...text].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
}

function printable(grapheme: string, fonts: readonly Glyphs[]): { text: string; fontIndex: number } {
  for (const text of [grapheme, grapheme.replace(ignorable, '')]) {
    const fontIndex = fonts.findIndex((font) => has(font, text));
    if (fontIndex >= 0) return { text, fontIndex };
  }
  // Part of a grapheme is better than none: a family emoji is at least its first member.
  const [first = ''] = grapheme;
  const fontIndex = fonts.findIndex((font) => has(font, first));
  return fontIndex >= 0 ? { text: first, fontIndex } : { text: replacement, fontIndex: 0 };
}

/** The direction of each grapheme. Neutral characters between two right-to-left letters belong to them. */
function directionsOf(graphemes: readonly string[]): boolean[] {
  const kinds = graphemes.map((grapheme) => {
    if (rightToLeft.test(grapheme)) return 'right-to-left';
    return strong.test(grapheme) ? 'left-to-right' : 'neutral';
  });
  let isInside = false;
  return kinds.map((kind, index) => {
    if (kind === 'neutral') {
      if (!isInside) return false;
      return kinds.slice(index).find((later) => later !== 'neutral') === 'right-to-left';
    }
    isInside = kind === 'right-to-left';
    return isInside;
  });
}

/** A line of text as runs of one font and one direction, in visual order. */
export function splitRuns(text: string, fonts: readonly Glyphs[]): Run[] {
  const graphemes = graphemesOf(text);
  const turned = directionsOf(graphemes);
  const runs: Run[][] = [];
  let before: Run | null = null;
  for (const [index, grapheme] of graphemes.entries()) {
    const isRightToLeft = turned[index] === true;
    const part = printable(grapheme, fonts);
    if (part.text === '') continue;
    if (before && before.isRightToLeft === isRightToLeft && before.fontIndex === part.fontIndex) {
      before.text += part.text;
      continue;
    }
    const run: Run = { ...part, isRightToLeft };
    const stretch = runs.at(-1);
    if (before && stretch && before.isRightToLeft === isRightToLeft) stretch.push(run);
    else runs.push([run]);
    before = run;
  }
  // Within a right-to-left run, the first written is furthest right.
  return runs.flatMap((stretch) => (stretch[0]?.isRightToLeft ? stretch.reverse() : stretch));
}
