// The fonts of receipts. Texts with usual letters share a prepared subset font, which costs almost nothing. Any other
// text gets full fonts, of which only its letters are embedded. Must not return a font in which a glyph represents
// another text than its own: the PDF could not be searched or copied.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateSync } from 'node:zlib';
import * as fontkit from 'fontkit';
import { unpackWoff } from './unpack-woff.ts';
import { type EmbeddedFont, type Glyph, packTexts } from './write-pdf.ts';

/** A font to print with, and its embedded form. */
export type ReceiptFont = {
  hasGlyphForCodePoint(codePoint: number): boolean;
  /** In thousandths of the size, like all measures here. */
  ascent(): number;
  /** The width of a text. */
  measure(text: string): number;
  /** A run of one direction as glyphs of the embedded font. */
  shape(text: string): readonly Glyph[];
  /** The embedded font; null if nothing was shaped. */
  embed(): EmbeddedFont | null;
};

// Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic and more; then every letter of the basic plane in a bitmap
// font: not pretty, but complete.
const fontFiles = {
  usual: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  last: '@fontsource/unifontex/files/unifontex-latin-400-normal.woff',
};

function readFont(file: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(file));
}

/** Computes a value once in a process. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const readDefaultFont = once(() => readFont(fontFiles.usual));
const readFallbackFont = once(() => unpackWoff(readFont(fontFiles.last)));

const openFont = (bytes: Buffer) => fontkit.create(bytes) as fontkit.Font;

/** The real type of a font's subset: the published types describe an older version. */
type Subset = { includeGlyph(glyphId: number): number; encode(): Uint8Array };

const openSubset = (font: fontkit.Font) => font.createSubset() as unknown as Subset;

type FontSubset = { subset: Subset; widths: readonly number[]; texts: readonly string[] };

/** The height of a capital letter: the oldest fonts do not have it (OS/2 below version 2). */
function capHeightOf(font: fontkit.Font): number {
  return font.glyphForCodePoint('H'.charCodeAt(0)).bbox.maxY;
}

/** A subset font for a PDF. Its name has a tag made of its bytes. */
function packFont(font: fontkit.Font, { subset, widths, texts }: FontSubset): EmbeddedFont {
  const plain = subset.encode();
  const scale = 1_000 / font.unitsPerEm;
  const { minX, minY, maxX, maxY } = font.bbox;
  const digest = createHash('sha256').update(plain).digest();
  const tag = String.fromCharCode(...[...digest.subarray(0, 6)].map((byte) => 65 + (byte % 26)));
  return {
    name: `${tag}+${font.postscriptName?.replace(/[^\w-]/g, '') ?? 'Font'}`,
    packed: deflateSync(plain),
    plainBytes: plain.length,
    packedTexts: packTexts(texts),
    widths,
    box: [minX, minY, maxX, maxY].map((value) => value * scale),
    ascent: font.ascent * scale,
    descent: font.descent * scale,
    capHeight: capHeightOf(font) * scale,
    italicAngle: font.italicAngle,
  };
}

/**
 * A font of its own for one receipt, read at first use. It must be opened again for each: an opened font caches each
 * letter by its first use, and a letter that it met inside a ligature could not be found by a search.
 */
function openFullFont(readBytes: () => Buffer): ReceiptFont {
  const open = once(() => {
    const font = openFont(readBytes());
    const scale = 1_000 / font.unitsPerEm;
    const widths = [font.getGlyph(0).advanceWidth * scale];
    return { font, scale, subset: openSubset(font), widths, texts: [''] };
  });
  let isShaped = false;
  return {
    hasGlyphForCodePoint: (codePoint) => open().font.hasGlyphForCodePoint(codePoint),
    ascent: () => open().font.ascent * open().scale,
    measure: (text) => open().font.layout(text).advanceWidth * open().scale,
    shape: (text) => {
      const { font, scale, subset, widths, texts } = open();
      isShaped = true;
      const { glyphs, positions } = font.layout(text);
      return glyphs.map((glyph, index) => {
        const id = subset.includeGlyph(glyph.id);
        const width = glyph.advanceWidth * scale;
        widths[id] ??= width;
        texts[id] ??= String.fromCodePoint(...glyph.codePoints);
        const { xAdvance, xOffset, yOffset } = positions[index] ?? { xAdvance: 0, xOffset: 0, yOffset: 0 };
        return { id, width, advance: xAdvance * scale, xOffset: xOffset * scale, yOffset: yOffset * scale };
      });
    },
    embed: () => (isShaped ? packFont(open().font, open()) : null),
  };
}

function charactersFrom(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
}

// Letters that do not change each other when adjacent. The first subset has the letters of every receipt.
const basic = [...charactersFrom(0x20, 0x7e), '\u00a0', ...'€£–—‘’“”„…•·'];
const blocks: readonly (readonly string[])[] = [
  charactersFrom(0xa1, 0xff).filter((character) => !basic.includes(character) && character !== '\u00ad'),
  charactersFrom(0x100, 0x17f),
  charactersFrom(0x384, 0x3ce),
  charactersFrom(0x400, 0x45f),
];

type KnownGlyph = { sourceId: number; id: number; width: number };
type DefaultFont = ReceiptFont & { hasAllOf(text: string): boolean };

/** The maximum of cached runs: the words that all receipts share. */
const maxCachedRuns = 500;

function cached<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let made = known.get(text);
    if (made === undefined) {
      made = make(text);
      if (known.size >= maxCachedRuns) known.clear();
      known.set(text, made);
    }
    return made;
  };
}

/** Each character is one glyph, and each glyph one character, without ligatures. */
function shapePlainly(font: fontkit.Font, known: ReadonlyMap<string, KnownGlyph>, text: string): Glyph[] {
  const scale = 1_000 / font.unitsPerEm;
  const letters = [...text].flatMap((character) => known.get(character) ?? []);
  const { glyphs, positions } = font.layout(text, { liga: false });
  const isPlain =
    glyphs.length === letters.length &&
    letters.every(({ sourceId }, index) => glyphs[index]?.id === sourceId);
  return letters.map(({ id, width }, index) => {
    const kerned = isPlain ? positions[index]?.xAdvance : undefined;
    return { id, width, advance: kerned === undefined ? width : kerned * scale, xOffset: 0, yOffset: 0 };
  });
}

/** A font of certain characters, shared by all receipts. */
function openSubsetFont(font: fontkit.Font, characters: readonly string[]): DefaultFont {
  const scale = 1_000 / font.unitsPerEm;
  const subset = openSubset(font);
  const known = new Map<string, KnownGlyph>();
  const widths = [font.getGlyph(0).advanceWidth * scale];
  const texts = [''];
  for (const character of characters) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (!font.hasGlyphForCodePoint(codePoint)) continue;
    const glyph = font.glyphForCodePoint(codePoint);
    const id = subset.includeGlyph(glyph.id);
    // Two characters with one glyph could not be distinguished.
    if (texts[id] !== undefined) continue;
    widths[id] = glyph.advanceWidth * scale;
    texts[id] = character;
    known.set(character, { sourceId: glyph.id, id, width: widths[id] });
  }
  const shape = cached((text) => shapePlainly(font, known, text));
  return {
    hasGlyphForCodePoint: (codePoint) => known.has(String.fromCodePoint(codePoint)),
    ascent: () => font.ascent * scale,
    measure: (text) => shape(text).reduce((sum, { advance }) => sum + advance, 0),
    shape,
    embed: once(() => packFont(font, { subset, widths, texts })),
    hasAllOf: (text) => [...text].every((character) => known.has(character)),
  };
}

const usualFont = once(() => openFont(readDefaultFont()));
const subsetFonts = new Map<string, DefaultFont>();

/** The font of the basic characters and of the blocks that a text needs. */
function openDefaultFont(text: string): DefaultFont {
  const needed = blocks.filter((block) => block.some((character) => text.includes(character)));
  const key = needed.map(([first]) => first).join('');
  let font = subsetFonts.get(key);
  if (!font) {
    font = openSubsetFont(usualFont(), [...basic, ...needed.flat()]);
    subsetFonts.set(key, font);
  }
  return font;
}

/** The fonts for all texts of a receipt, in order of preference. */
export function openFonts(texts: readonly string[]): ReceiptFont[] {
  const text = texts.join('');
  const font = openDefaultFont(text);
  return font.hasAllOf(text) ? [font] : [readDefaultFont, readFallbackFont].map(openFullFont);
}
