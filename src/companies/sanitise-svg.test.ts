import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { findGrowth } from '../../test/harness/worst-texts.ts';
import { sanitiseSvg } from './sanitise-svg.ts';
import { SvgError } from './svg-rules.ts';

const clean = (text: string) => sanitiseSvg(Buffer.from(text)).toString();
const frame = (inside: string, more = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 240 80"${more}>${inside}</svg>`;
const opening = '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80" viewBox="0 0 240 80"';
const refuses = (text: string, message: RegExp) =>
  assert.throws(
    () => clean(text),
    (error) => error instanceof SvgError && message.test(error.message),
    text.slice(0, 200),
  );

/** As vector programs write it: declaration, comments, metadata, styles in CDATA, own namespaces. */
const exported = `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Example 27 -->
<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
  xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" x="0px" y="0px" viewBox="0 0 240 80"
  style="enable-background:new 0 0 240 80;" xml:space="preserve" inkscape:version="1.3">
<title>Logo &amp; name</title><metadata><inkscape:x/></metadata>
<style type="text/css"><![CDATA[ .st0{fill:url(#a);} /* why */ .st1{fill:#FFF; -inkscape-x:1} ]]></style>
<inkscape:grid id="grid"/>
<linearGradient id="a"><stop offset="0" stop-color="#c02060"/><stop offset="1" style="stop-color:#000"/></linearGradient>
<g id="b" inkscape:label="x"><rect class="st0" width="240" height="80"/></g>
<use xlink:href="#b" transform="scale(.5)"/><text x="4" y="9" font-family="'Noto Sans'">A &lt; B</text>
</svg>`;

test('a file of a vector program keeps what draws and loses the rest', () => {
  assert.equal(
    clean(exported),
    `${opening} id="Layer_1"><style>.st0{fill:url(#a)}.st1{fill:#FFF}</style>` +
      '<linearGradient id="a"><stop offset="0" stop-color="#c02060"/><stop offset="1" style="stop-color:#000"/></linearGradient>' +
      '<g id="b"><rect class="st0" width="240" height="80"/></g>' +
      `<use href="#b" transform="scale(.5)"/><text x="4" y="9" font-family="'Noto Sans'">A &lt; B</text></svg>`,
  );
});

test('a sanitised file is accepted and stays the same', () => {
  assert.equal(clean(clean(exported)), clean(exported));
});

const refused: readonly [what: string, text: string, message: RegExp][] = [
  ['a script', frame('<script>alert(1)</script>'), /scripts/],
  ['a script of another namespace', frame('<x:script xmlns:x="urn:x"/>'), /scripts/],
  ['a script inside metadata', frame('<metadata><script/></metadata>'), /scripts/],
  ['an event handler', frame('<rect onclick="alert(1)"/>'), /event handlers, such as onclick/],
  ['an event handler of the root', frame('', ' onload="alert(1)"'), /onload/],
  ['an event handler in capitals', frame('<rect ONCLICK="alert(1)"/>'), /ONCLICK/],
  ['a link', frame('<a href="javascript:alert(1)"><rect/></a>'), /links/],
  [
    'foreign content',
    frame('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'),
    /foreign/,
  ],
  ['an image from elsewhere', frame('<image href="https://evil.example/x.png"/>'), /PNG/],
  ['an embedded image', frame('<image href="data:image/png;base64,AAAA"/>'), /PNG/],
  [
    'a reference to another file',
    frame('<use xlink:href="https://evil.example/x.svg#a"/>'),
    /outside of the file/,
  ],
  ['a reference by data', frame('<use href="data:image/svg+xml,x#a"/>'), /outside of the file/],
  ['a gradient from elsewhere', frame('<linearGradient href="//evil.example/#a"/>'), /outside of the file/],
  ['a fill from elsewhere', frame('<rect fill="url(https://evil.example/x.svg#a)"/>'), /outside/],
  ['a fill from elsewhere in quotes', frame(`<rect fill="URL('x.svg#a')"/>`), /outside/],
  ['a style from elsewhere', frame('<rect style="fill:url(//evil.example)"/>'), /outside/],
  ['a script as a value', frame('<rect fill="javascript:alert(1)"/>'), /scripts/],
  ['an import', frame('<style>@import "https://evil.example/x.css";</style>'), /@import/],
  ['a font', frame('<style>@font-face{font-family:x;src:local(x)}</style>'), /@font-face/],
  ['an escaped import', frame('<style>\\40 import "x";</style>'), /escaped/],
  ['an image set', frame('<style>.a{fill:image-set("x.png" 1x)}</style>'), /outside/],
  ['nested rules', frame('<style>.a{.b{fill:red}}</style>'), /nested/],
  ['styles that do not end', frame('<style>.a{fill:red</style>'), /not complete/],
  ['a comment that does not end', frame('<style>/* .a{fill:red}</style>'), /no end/],
  ['a style for some windows', frame('<style media="print">.a{fill:red}</style>'), /media/],
  ['an animation', frame('<rect><animate attributeName="x" to="9"/></rect>'), /animations/],
  [
    'a changed reference',
    frame('<use href="#a"><set attributeName="href" to="javascript:x"/></use>'),
    /animations/,
  ],
  ['a filter', frame('<filter id="f"/>'), /filters/],
  ['a filter of an element', frame('<rect filter="drop-shadow(1px 1px 1px red)"/>'), /filters/],
  ['a filter in a style', frame('<style>.a{filter:blur(2px)}</style>'), /filters/],
  ['a marker', frame('<path marker-end="url(#a)" d="M0 0"/>'), /markers/],
  ['a marker in a style', frame('<path style="marker:url(#a)" d="M0 0"/>'), /markers/],
  ['a pattern', frame('<pattern id="a"/>'), /patterns/],
  ['a size in a style', frame('<style>.a{width:9px}</style>'), /\(width\)\. Make it an attribute/],
  ['a shape in a style', frame(`<path style="d:path('M0 0')"/>`), /\(d\)\. Make it an attribute/],
  ['a rotation in a style', frame('<rect style="rotate:9deg"/>'), /transform/],
  ['a background', frame('', ' style="background:#fff"'), /rectangle/],
  ['a variable', frame('<rect style="--a:red"/>'), /variables/],
  ['a value of a variable', frame('<rect fill="var(--a, red)"/>'), /variables/],
  ['an inherited mask', frame('<rect mask="inherit"/>'), /mask: inherit/],
  [
    'an inherited clip in a style',
    frame('<rect style="clip-path:inherit !important"/>'),
    /clip-path: inherit/,
  ],
  ['a later version of XML', `<?xml version="1.1"?>${frame('<text>&#1;</text>')}`, /version="1\.0"/],
  ['a reference to a part with an unusual name', frame('<use href="#Logo@2x"/>'), /letters, digits/],
  ['an unknown element', frame('<video/>'), /<video> is not supported/],
  ['a DOCTYPE', `<!DOCTYPE svg>${frame('')}`, /DOCTYPE/],
  [
    'a bomb of entities',
    `<!DOCTYPE svg [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;">]>${frame('<text>&b;</text>')}`,
    /DOCTYPE/,
  ],
  [
    'an external entity',
    `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${frame('&a;')}`,
    /DOCTYPE/,
  ],
  ['an unknown entity', frame('<text>&nbsp;</text>'), /well-formed/],
  ['a style sheet from elsewhere', `<?xml-stylesheet href="x.css"?>${frame('')}`, /processing instruction/],
  ['a file that ends early', frame('<g>').slice(0, -6), /well-formed/],
  ['two documents', frame('') + frame(''), /well-formed/],
  ['no XML', 'PNG', /well-formed/],
  ['an empty file', '', /well-formed|empty/],
  ['a page', '<html xmlns="http://www.w3.org/1999/xhtml"/>', /begin with <svg/],
  ['no namespace', '<svg viewBox="0 0 1 1"/>', /begin with <svg xmlns/],
  ['another encoding', `<?xml version="1.0" encoding="UTF-16"?>${frame('')}`, /UTF-16/],
  ['no size', '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>', /no size/],
  ['a part that contains itself', frame('<g id="a"><use href="#a"/></g>'), /itself/],
  [
    'two parts that contain each other',
    frame('<g id="a" class="b"/><style>.b{mask:url(#a)}</style>'),
    /itself/,
  ],
];
for (const [what, text, message] of refused)
  test(`${what} is refused with what to do`, () => refuses(text, message));

test('a view without an area is replaced by the size', () => {
  const text = '<svg xmlns="http://www.w3.org/2000/svg" width="9px" height="3" viewBox="0 0 0 9"/>';
  assert.match(clean(text), /width="9" height="3" viewBox="0 0 9 3"/);
});

test('a picture with a view and one side gets the other side in proportion', () => {
  const sized = (sides: string) =>
    clean(`<svg xmlns="http://www.w3.org/2000/svg" ${sides} viewBox="0 0 240 80"/>`);
  assert.match(sized('width="60"'), /width="60" height="20" viewBox="0 0 240 80"/);
  assert.match(sized('height="40px" width="100%"'), /width="120" height="40" viewBox="0 0 240 80"/);
  assert.match(sized('width="9" height="9"'), /width="9" height="9" viewBox="0 0 240 80"/);
});

test('a part with both kinds of href keeps the one that browsers follow', () => {
  for (const both of ['href="#a" xlink:href="#b"', 'xlink:href="#b" href="#a"'])
    assert.match(clean(frame(`<g id="a"/><use ${both}/>`)), /<use href="#a"\/>/);
});

test('names of parts may have any characters, and properties without an effect are left out', () => {
  const inside = '<g id="Logo@2x" class="image(1) url(x)"/><g style="marker:none;filter:none;fill:red"/>';
  assert.equal(
    clean(frame(inside)),
    `${opening}><g id="Logo@2x" class="image(1) url(x)"/><g style="fill:red"/></svg>`,
  );
});

test('bytes that are not UTF-8 are refused', () => {
  assert.throws(() => sanitiseSvg(Buffer.from([0x3c, 0xff, 0xfe])), SvgError);
});

const partsOf = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join('');

test('rules that refer to parts are followed once, however many elements have their class', () => {
  const manyElements = (reference: string) => (length: number) =>
    frame(
      `<style>.a{fill:${reference.repeat(length / 20)}}</style><g id="b"/>${'<g class="a"/>'.repeat(length / 30)}`,
    );
  const manyClasses = (length: number) =>
    frame(
      `<style>${partsOf(length / 16, (at) => `.a${at}`).replaceAll(/(?!^)\./g, ',.')}{mask:${partsOf(length / 80, (at) => `url(#b${at})`)}}</style>` +
        partsOf(Math.min(length / 80, 900), (at) => `<g id="b${at}"/>`),
    );
  const texts = {
    'one part': manyElements('url(#b)'),
    'no part': manyElements('url(#c)'),
    'many classes': manyClasses,
  };
  for (const [name, ofLength] of Object.entries(texts)) {
    const work = (text: string) => {
      try {
        clean(text);
      } catch (error) {
        assert.match(String(error), /elements/);
      }
    };
    assert.equal(findGrowth(work, { name, ofLength }), null, name);
  }
});

/** The longest time of a file of 100,000 bytes. Far above what it takes, for a busy machine. */
const longestMs = 2_000;

test('a file that is built to draw billions of elements, or to be slow, is refused or read in time', () => {
  const levels = Array.from({ length: 10 }, (_, level) => {
    const uses = Array.from({ length: 10 }, () => `<use href="#l${level}"/>`).join('');
    return `<g id="l${level + 1}">${uses}</g>`;
  });
  refuses(frame(`<rect id="l0"/>${levels.join('')}`), /more than 20000 elements/);
  // A fill is inherited by the parts of a pattern.
  const patterns = partsOf(
    10,
    (at) =>
      `<pattern id="p${at}" width="9" height="9"><g fill="url(#p${at + 1})">${'<rect width="9" height="9"/>'.repeat(10)}</g></pattern>`,
  );
  refuses(frame(`${patterns}<g fill="url(#p0)">${'<rect/>'.repeat(10)}</g>`), /patterns/);
  const styled = levels.map((group, level) => group.replace('<g', `<g class="m${level}"`)).join('');
  const masks = levels.map((_, level) => `.m${level}{mask:url(#l${level})}`).join('');
  refuses(frame(`<style>${masks}</style><rect id="l0"/>${styled}`), /more than 20000 elements/);
  const chain = Array.from({ length: 3_000 }, (_, at) => `<g id="c${at}"><use href="#c${at + 1}"/></g>`);
  refuses(frame(chain.join('')), /too often/);
  refuses(frame('<g>'.repeat(100) + '</g>'.repeat(100)), /64 deep/);
  refuses(frame('<g/>'.repeat(10_001)), /more than 10000 elements/);
  const many = (part: string) => part.repeat(Math.floor(99_000 / part.length));
  const slow = [
    `<style>${many('/*')}</style>`,
    `<style>${many('.a{')}</style>`,
    `<style>${many('.a{fill:url(')}</style>`,
    `<style>${many('a,')}{}</style>`,
    `<rect style="${many('url(#')}"/>`,
    `<rect fill="${many('url( ')}"/>`,
    `<rect fill="url(${many(' ')}"/>`,
    `<style>.a{${'fill:url(#x);'.repeat(5_000)}}</style><g class="${'a '.repeat(10_000)}"/>`,
    `<rect ${Array.from({ length: 9_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`,
    `<text>${many('&amp;')}</text>`,
    `<rect viewBox="${many('1 ')}"/>`,
    many('<'),
  ];
  for (const inside of slow) {
    const start = performance.now();
    try {
      clean(frame(inside));
    } catch (error) {
      assert.ok(error instanceof SvgError, String(error));
    }
    const ms = performance.now() - start;
    assert.ok(ms < longestMs, `${inside.slice(0, 40)}: ${Math.round(ms)} ms`);
  }
});

const activeCss =
  /@|\\|(?:url|image|image-set|cross-fade|src|expression)\s*\(|(?:java|vb)script\s*:|data\s*:/i;

/**
 * Whether a browser could load or run something by a value or styles. A part of the file may have any name; with one quote
 * alone, the address begins with # all the same.
 */
const isActiveCss = (css: string) => activeCss.test(css.replaceAll(/url\(\s*["']?#[\w.:-]*["']?\s*\)/g, ' '));

const activeElement =
  /^(?:script|handler|listener|a|animate\w*|set|discard|(?:fe)?image|foreignobject|iframe|object|embed|audio|video|link)$/i;

/** What a browser could load or run, read from the parsed file. IDs, classes and drawn text do nothing. */
function findActive(svg: string): string[] {
  const found: string[] = [];
  const open: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ local, uri, attributes }) => {
    open.push(local);
    if (activeElement.test(local) || uri !== 'http://www.w3.org/2000/svg') found.push(local);
    for (const { name, value } of Object.values(attributes)) {
      const isReference = /(?:^|:)(?:href|src)$/i.test(name);
      const isName = name === 'id' || name === 'class' || name === 'xmlns';
      const isActive = isReference ? !value.startsWith('#') : !isName && isActiveCss(value);
      if (isActive || /^on/i.test(name)) found.push(`${name}="${value}"`);
    }
  });
  parser.on('closetag', () => void open.pop());
  for (const kind of ['text', 'cdata'] as const)
    parser.on(kind, (text) => {
      if (open.at(-1) === 'style' && isActiveCss(text)) found.push(text);
    });
  for (const kind of ['doctype', 'processinginstruction', 'comment'] as const)
    parser.on(kind, () => void found.push(kind));
  parser.write(svg).close();
  return found;
}

test('the test detects what could run or load', () => {
  const elements = ['script', 'a', 'set', 'image', 'foreignObject', 'p xmlns="urn:x"'];
  const attributes = [
    ...['onclick="x"', 'href="x.svg#a"', 'xlink:href="//x/#a"', 'src="x"'],
    ...['fill="URL( x)"', `mask="url('x')"`, 'style="fill:url(//x)"', 'fill="javascript:x"'],
  ];
  const styles = ['@import "x";', '<![CDATA[.a{fill:url(x)}]]>', '\\40'];
  const active = [
    ...[...elements, ...attributes.map((attribute) => `g ${attribute}`)].map((tag) => `<${tag}/>`),
    ...[...styles.map((css) => `<style>${css}</style>`), '<!-- -->', '<?x?>'],
  ];
  const kept =
    '<g id="url(x" class="//@x" fill="url( #data:x)"/><use href="#b" transform="://"/><text>@import</text>';
  for (const inside of active) assert.equal(findActive(frame(kept + inside)).length, 1, inside);
  assert.deepEqual(findActive(frame(kept)), []);
});

test('a changed file is refused with a sentence, or keeps nothing that could run or load', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '/',
      '&',
      '&#106;',
      'javascript:',
      'url(',
      '#',
      '@import',
      '{',
      '}',
      ' on',
      '=',
    ),
    fc.constantFrom(...exported.split(/\b/)),
  );
  const change = fc.tuple(fc.nat(exported.length), piece, fc.boolean());
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      let text = exported;
      for (const [at, added, isInserted] of changes)
        text = text.slice(0, at) + added + text.slice(at + (isInserted ? 0 : added.length));
      let kept: string;
      try {
        kept = clean(text);
      } catch (error) {
        if (!(error instanceof SvgError)) throw error;
        return;
      }
      assert.deepEqual(findActive(kept), []);
      assert.equal(clean(kept), kept);
    }),
    { numRuns: 2_000 },
  );
});
