// The fonts of the PDF, TrueType files of packages. DejaVu Sans prints the alphabets; the font of another script is
// read only if a text contains that script. A character that no font has becomes the replacement character.

import { createRequire } from 'node:module';
import type PDFDocument from 'pdfkit';

type Document = InstanceType<typeof PDFDocument>;

/** A text that one font prints. */
export type FontRun = { text: string; font: string };

const folder = '@expo-google-fonts';
const usual = 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf';
const fontOfScript: readonly (readonly [script: RegExp, file: string])[] = [
  [
    // Signs that several scripts share, such as the long vowel of Japanese, and wide forms belong to no script.
    /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\u3000-\u303f\uff00-\uffef]/u,
    `${folder}/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf`,
  ],
  [/\p{Script=Hangul}/u, `${folder}/nanum-gothic/400Regular/NanumGothic_400Regular.ttf`],
  [/\p{Script=Devanagari}/u, `${folder}/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf`],
  [/\p{Script=Bengali}/u, `${folder}/noto-sans-bengali/400Regular/NotoSansBengali_400Regular.ttf`],
  [/\p{Script=Tamil}/u, `${folder}/noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf`],
  [/\p{Script=Telugu}/u, `${folder}/noto-sans-telugu/400Regular/NotoSansTelugu_400Regular.ttf`],
  [/\p{Script=Thai}/u, `${folder}/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf`],
];

const replacement = '\uFFFD';
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** In these texts each character is a grapheme. Segmenting them takes a tenth of the time of a receipt with many items. */
const plainLatin = /^[\x20-\x7e]*$/;

/** The graphemes of a text: what a person takes for single characters. */
export function graphemesOf(text: string): string[] {
  if (plainLatin.test(text)) return [...text];
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** A font of pdfkit, as far as its types do not declare it. */
type EmbeddedFont = {
  font: { hasGlyphForCodePoint(codePoint: number): boolean };
  layoutRun(text: string, features: unknown): unknown;
};

/** Fonts that keep the layout of a text. */
const remembering = new WeakSet<EmbeddedFont>();

/**
 * Lays out each text once. Printing a line asks four times, and pdfkit caches nothing if features are given: a receipt
 * with a hundred items would exceed its time.
 */
function rememberLayouts(font: EmbeddedFont): void {
  if (remembering.has(font)) return;
  remembering.add(font);
  const known = new Map<string, unknown>();
  const layOut = font.layoutRun.bind(font);
  font.layoutRun = (text, features) => {
    const key = `${JSON.stringify(features)} ${text}`;
    const run = known.get(key) ?? layOut(text, features);
    known.set(key, run);
    return run;
  };
}

function has(document: Document, font: string, text: string): boolean {
  const { _font: current } = document.font(font) as unknown as { _font: EmbeddedFont };
  rememberLayouts(current);
  return [...text].every((character) => current.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
}

/** Chooses the font of a grapheme. Without one for all of it, its first character is better than nothing. */
function chooseFont(document: Document, grapheme: string): FontRun {
  const [first = ''] = grapheme;
  const special = fontOfScript.find(([script]) => script.test(grapheme))?.[1];
  for (const text of [grapheme, grapheme.replace(ignorable, ''), first])
    for (const font of special ? [special, usual] : [usual])
      if (has(document, font, text)) return { text, font };
  return { text: replacement, font: usual };
}

/** Registers the fonts in a document, without reading them. Returns how a grapheme is printed there. */
export function openFonts(document: Document): (grapheme: string) => FontRun {
  const { resolve } = createRequire(import.meta.url);
  for (const file of [usual, ...fontOfScript.map(([, each]) => each)])
    document.registerFont(file, resolve(file));
  const known = new Map<string, FontRun>();
  return (grapheme) => {
    const run = known.get(grapheme) ?? chooseFont(document, grapheme);
    known.set(grapheme, run);
    return run;
  };
}
