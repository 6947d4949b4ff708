// Writes the bytes of a PDF of one page: its content, and the fonts of its text. Knows the format and nothing of
// the printed content. The same page gives the same bytes. Must not write a time, a name or a number that it was
// not given.

import { deflateSync } from 'node:zlib';

/** A glyph in a run, in thousandths of the size. `id` is that in the embedded font. */
export type Glyph = { id: number; width: number; advance: number; xOffset: number; yOffset: number };

/** An embedded font: the needed glyphs, the text of each, and its width. */
export type EmbeddedFont = {
  name: string;
  /** The font itself, deflated, and its length before that. */
  packed: Uint8Array;
  plainBytes: number;
  /** The text of each glyph by its ID, deflated: a character map for search and copying. */
  packedTexts: Uint8Array;
  /** In thousandths of the size, as are the fields that follow. */
  widths: readonly number[];
  box: readonly number[];
  ascent: number;
  descent: number;
  capHeight: number;
  italicAngle: number;
};

export type PdfPage = {
  width: number;
  height: number;
  /** Operators, of encodeGlyphs and others. */
  content: readonly string[];
  /** `F0`, `F1` and so on in the content; null for a font that the content does not use. */
  fonts: readonly (EmbeddedFont | null)[];
  locale: string;
  title: string;
  producer: string;
  at: Date;
};

/** A number in PDF form: no exponent, and no more digits than are visible. Throws for NaN and infinity. */
export function pdfNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('a PDF has finite numbers only');
  return String(Math.round(value * 1_000) / 1_000 + 0);
}

const hex4 = (value: number) => value.toString(16).padStart(4, '0');

/** The operators that show a run of text, whose baseline begins at a point. */
export function encodeGlyphs(
  glyphs: readonly Glyph[],
  style: { fontIndex: number; size: number; x: number; y: number },
): string {
  const { fontIndex, size, x, y } = style;
  const begin = `BT /F${fontIndex} ${pdfNumber(size)} Tf`;
  if (!glyphs.some(({ xOffset, yOffset }) => xOffset !== 0 || yOffset !== 0))
    return `${begin} ${pdfNumber(x)} ${pdfNumber(y)} Td [${spaced(glyphs)}] TJ ET`;
  // A mark is offset to its letter: each glyph gets its own position.
  let pen = 0;
  const placed = glyphs.map(({ id, advance, xOffset, yOffset }) => {
    const at = [x + ((pen + xOffset) * size) / 1_000, y + (yOffset * size) / 1_000].map(pdfNumber);
    pen += advance;
    return `1 0 0 1 ${at.join(' ')} Tm <${hex4(id)}> Tj`;
  });
  return `${begin} ${placed.join(' ')} ET`;
}

/** Adjacent glyphs, with the kerning of each pair. */
function spaced(glyphs: readonly Glyph[]): string {
  const parts = glyphs.map(({ id, width, advance }) => {
    const nearer = Math.round(width - advance);
    return nearer === 0 ? hex4(id) : `${hex4(id)}> ${nearer} <`;
  });
  return `<${parts.join('')}>`.replace(/ <>$/, '');
}

/** A text of the document's properties: UTF-16 in hex, which needs no escaping. */
function textString(text: string): string {
  return `<${Buffer.from(`\uFEFF${text}`, 'utf16le').swap16().toString('hex')}>`;
}

function moment(at: Date): string {
  return `(D:${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z)`;
}

const mapBegin = `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
`;
const mapEnd = `endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
/** The maximum of entries of a block in the format. */
const mapBlock = 100;

/** The texts of glyphs by their IDs as a PDF character map, deflated. */
export function packTexts(texts: readonly string[]): Uint8Array {
  const entries = texts.flatMap((text, id) =>
    text ? [`<${hex4(id)}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`] : [],
  );
  const blocks: string[] = [];
  for (let from = 0; from < entries.length; from += mapBlock) {
    const block = entries.slice(from, from + mapBlock);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar\n`);
  }
  return deflateSync(`${mapBegin}${blocks.join('')}${mapEnd}`);
}

type Part = string | Uint8Array;

/** The parts of an object that is a stream of deflated bytes. */
const stream = (bytes: Uint8Array, more = ''): Part[] => [
  `<< /Length ${bytes.length} /Filter /FlateDecode${more} >>\nstream\n`,
  bytes,
  '\nendstream',
];

/** The five objects of a font. The page refers to the first one. */
function fontObjects(font: EmbeddedFont, first: number): Part[][] {
  const { name, widths, box, ascent, descent, capHeight, italicAngle } = font;
  const numbers = (values: readonly number[]) => values.map(pdfNumber).join(' ');
  const [descendant, descriptor, file, texts] = [1, 2, 3, 4].map((step) => `${first + step} 0 R`);
  const base = `/Type /Font /BaseFont /${name}`;
  const heights = `/Ascent ${pdfNumber(ascent)} /Descent ${pdfNumber(descent)} /CapHeight ${pdfNumber(capHeight)}`;
  const system = '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>';
  return [
    [
      `<< ${base} /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [${descendant}] /ToUnicode ${texts} >>`,
    ],
    [
      `<< ${base} /Subtype /CIDFontType2 ${system} /CIDToGIDMap /Identity /FontDescriptor ${descriptor} `,
      `/W [0 [${numbers(widths)}]] >>`,
    ],
    [
      `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [${numbers(box)}] `,
      `/ItalicAngle ${pdfNumber(italicAngle)} ${heights} /StemV 0 /FontFile2 ${file} >>`,
    ],
    stream(font.packed, ` /Length1 ${font.plainBytes}`),
    stream(font.packedTexts),
  ];
}

const firstFontObject = 6;
const objectsPerFont = 5;

function listObjects(page: PdfPage): Part[][] {
  const fonts = page.fonts
    .flatMap((font, index) => (font ? [{ font, index }] : []))
    .map((used, place) => ({ ...used, first: firstFontObject + place * objectsPerFont }));
  const named = fonts.map(({ index, first }) => `/F${index} ${first} 0 R`).join(' ');
  const at = moment(page.at);
  const producer = textString(page.producer);
  return [
    [`<< /Type /Catalog /Pages 2 0 R /Lang ${textString(page.locale)} >>`],
    ['<< /Type /Pages /Count 1 /Kids [3 0 R] >>'],
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pdfNumber(page.width)} ${pdfNumber(page.height)}] `,
      `/Contents 4 0 R /Resources << /Font << ${named} >> >> >>`,
    ],
    stream(deflateSync(page.content.join('\n'))),
    [
      `<< /Title ${textString(page.title)} /Producer ${producer} /Creator ${producer} `,
      `/CreationDate ${at} /ModDate ${at} >>`,
    ],
    ...fonts.flatMap(({ font, first }) => fontObjects(font, first)),
  ];
}

/** The page as the bytes of a PDF. */
export function writePdf(page: PdfPage): Uint8Array {
  const parts: Buffer[] = [];
  let length = 0;
  const add = (part: Part) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part);
    parts.push(bytes);
    length += bytes.length;
  };
  // The second line has bytes above 127, so that no program takes the file for text.
  add('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
  const objects = listObjects(page);
  const places = objects.map((object, index) => {
    const place = length;
    add(`${index + 1} 0 obj\n`);
    for (const part of object) add(part);
    add('\nendobj\n');
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = length;
  const size = objects.length + 1;
  add(`xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`);
  add(`trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return new Uint8Array(Buffer.concat(parts, length));
}
