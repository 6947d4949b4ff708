// The faces that receipts are set in. Texts of usual letters share a face that was cut once, which costs next to
// nothing; any other text gets fonts of its own, with its letters alone. It must never hand out a face in which a
// letter stands for another text than its own: what is printed could not be searched or copied.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateSync } from 'node:zlib';
import * as fontkit from 'fontkit';
import { unpackWoff } from './unpack-woff.ts';
import { type EmbeddedFont, type Glyph, packTexts } from './write-pdf.ts';

/** A font to print with, and what it will be in the PDF. */
export type ReceiptFont = {
  hasGlyphForCodePoint(codePoint: number): boolean;
  /** In thousandths of the size, as all measures here. */
  ascent(): number;
  /** How wide a text would be. */
  measure(text: string): number;
  /** A run of one direction as glyphs that will be in the embedded font. */
  shape(text: string): readonly Glyph[];
  /** What goes into the PDF; null when nothing was shaped. */
  embed(): EmbeddedFont | null;
};

// Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic and more; then every letter of the basic plane,
// as dots of a grid: not pretty, but there.
const fontFiles = {
  usual: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  last: '@fontsource/unifontex/files/unifontex-latin-400-normal.woff',
};

function readFont(file: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(file));
}

/** What is done once in a process, and then at hand. */
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

/** What a font is cut down to, as it really is: its types tell of an older form. */
type Subset = { includeGlyph(glyphId: number): number; encode(): Uint8Array };

const openSubset = (font: fontkit.Font) => font.createSubset() as unknown as Subset;

type FontSubset = { subset: Subset; widths: readonly number[]; texts: readonly string[] };

/** How high a capital letter is: fonts of the oldest tables do not say so (OS/2 below version 2). */
function capHeightOf(font: fontkit.Font): number {
  return font.glyphForCodePoint('H'.charCodeAt(0)).bbox.maxY;
}

/** What is cut from a font, as it stands in a PDF; its name has a tag made of its bytes. */
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
 * A face of its own for one receipt, read when it is first asked. The font must be opened anew for it: an opened font remembers each letter as it
 * was first asked for, and one that it met as a part of another would never be found again by who searches.
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

// Letters that stand one after another without changing each other. What every receipt has is in the first.
const basic = [...charactersFrom(0x20, 0x7e), '\u00a0', ...'€£–—‘’“”„…•·'];
const blocks: readonly (readonly string[])[] = [
  charactersFrom(0xa1, 0xff).filter((character) => !basic.includes(character) && character !== '\u00ad'),
  charactersFrom(0x100, 0x17f),
  charactersFrom(0x384, 0x3ce),
  charactersFrom(0x400, 0x45f),
];

type KnownGlyph = { sourceId: number; id: number; width: number };
type DefaultFont = ReceiptFont & { hasAllOf(text: string): boolean };

/** So many runs are remembered: the words that all receipts have. */
const maxRemembered = 500;

function remembering<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let made = known.get(text);
    if (made === undefined) {
      made = make(text);
      if (known.size >= maxRemembered) known.clear();
      known.set(text, made);
    }
    return made;
  };
}

/** Each character is one glyph, and each glyph one character: nothing is joined. */
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

/** A face of certain characters, for as many receipts as come. */
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
    // Two characters that share a glyph could not be told apart.
    if (texts[id] !== undefined) continue;
    widths[id] = glyph.advanceWidth * scale;
    texts[id] = character;
    known.set(character, { sourceId: glyph.id, id, width: widths[id] });
  }
  const shape = remembering((text) => shapePlainly(font, known, text));
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

/** The face of the basic characters and of those blocks that a text has something of. */
function openDefaultFont(text: string): DefaultFont {
  const needed = blocks.filter((block) => block.some((character) => text.includes(character)));
  const key = needed.map(([first]) => first).join('');
  let face = subsetFonts.get(key);
  if (!face) {
    face = openSubsetFont(usualFont(), [...basic, ...needed.flat()]);
    subsetFonts.set(key, face);
  }
  return face;
}

/** The faces for all texts of a receipt, the one that is to be preferred first. */
export function openFonts(texts: readonly string[]): ReceiptFont[] {
  const text = texts.join('');
  const face = openDefaultFont(text);
  return face.hasAllOf(text) ? [face] : [readDefaultFont, readFallbackFont].map(openFullFont);
}
