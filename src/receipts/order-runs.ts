// Splits a line into runs of one font and one direction, in the order in which they are printed (UAX #9). Pure.

import bidiModule from 'bidi-js';
import { type FontRun, graphemesOf } from './fonts.ts';

export type Direction = 'ltr' | 'rtl';

// Its types describe an ES module, which Node does not load.
const bidi = (bidiModule as unknown as typeof bidiModule.default)();
const strongRightToLeft = new Set(['R', 'AL']);

type LevelRun = FontRun & { level: number };

/** The direction of a paragraph, by its first strong character. */
export function directionOf(text: string): Direction {
  const [paragraph] = bidi.getEmbeddingLevels(text, 'auto').paragraphs;
  return (paragraph?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr';
}

function splitByLevel(
  line: string,
  direction: Direction,
  printed: (grapheme: string) => FontRun,
): LevelRun[] {
  const { levels } = bidi.getEmbeddingLevels(line, direction);
  const runs: LevelRun[] = [];
  let at = 0;
  for (const grapheme of graphemesOf(line)) {
    const level = levels[at] ?? 0;
    at += grapheme.length;
    const mirrored = level % 2 === 1 ? (bidi.getMirroredCharacter(grapheme) ?? grapheme) : grapheme;
    const { text, font } = printed(mirrored);
    const last = runs.at(-1);
    if (last && last.level === level && last.font === font) last.text += text;
    else if (text !== '') runs.push({ text, font, level });
  }
  return runs;
}

/** Reverses every stretch of runs from each level up, from the highest level to 1. */
function reorder(runs: readonly LevelRun[]): LevelRun[] {
  let ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    const next: LevelRun[] = [];
    let stretch: LevelRun[] = [];
    for (const run of ordered) {
      if (run.level >= level) stretch.unshift(run);
      else {
        next.push(...stretch, run);
        stretch = [];
      }
    }
    ordered = [...next, ...stretch];
  }
  return ordered;
}

/** Marks of a direction, which are no letters. */
const directionMarks = /[\u200F\u061C]/gu;

/** The shaper turns a run of right-to-left letters around by itself, but not one of neutral characters and marks. */
function inPrintOrder({ text, font, level }: LevelRun): FontRun {
  const letters = [...text.replace(directionMarks, '')];
  const isTurnedByShaper = letters.some((each) => strongRightToLeft.has(bidi.getBidiCharTypeName(each)));
  return { text: level % 2 === 0 || isTurnedByShaper ? text : graphemesOf(text).reverse().join(''), font };
}

/** The runs of a line, from left to right. `printed` returns how a grapheme is printed. */
export function orderRuns(
  line: string,
  direction: Direction,
  printed: (grapheme: string) => FontRun,
): FontRun[] {
  return reorder(splitByLevel(line, direction, printed)).map(inPrintOrder);
}
