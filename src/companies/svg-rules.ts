// What a logo in SVG may contain: elements, attributes and style properties that draw a still picture from its own parts.
// What draws and is not listed is refused, so that no logo looks different from its file. Pure.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export class SvgError extends Error {
  override readonly name = 'SvgError';
}

/** Elements that stay. */
export const drawingElements = words(`
  svg g defs symbol use path rect circle ellipse line polyline polygon text tspan
  linearGradient radialGradient stop clipPath mask style`);

/** Elements that describe the picture and draw nothing. They are left out, with what they contain. */
export const describingElements = words('title desc metadata');

/** Why an element is refused, whatever its namespace. */
export const refusedElements: Readonly<Record<string, string>> = {
  script: 'scripts',
  foreignObject: 'foreign content (foreignObject)',
  image: 'an embedded or linked image. Send the logo as a PNG instead, or as paths',
  feImage: 'an embedded or linked image. Send the logo as a PNG instead, or as paths',
  a: 'links',
  animate: 'animations',
  animateColor: 'animations',
  animateMotion: 'animations',
  animateTransform: 'animations',
  set: 'animations',
  filter: 'filters. Export the logo as paths, without shadows and other effects',
  // All that is inside inherits a fill, so that parts of patterns could refer to further patterns without saying so.
  pattern: 'patterns. Draw what they repeat as paths',
  marker: 'markers. Export the logo as paths',
  iframe: 'foreign content (iframe)',
  object: 'foreign content (object)',
  embed: 'foreign content (embed)',
  handler: 'scripts',
  listener: 'scripts',
};

/** Style properties that are listed, each also an attribute. */
export const styleProperties = words(`
  alignment-baseline baseline-shift clip-path clip-rule color color-interpolation direction display dominant-baseline
  fill fill-opacity fill-rule font font-family font-size font-stretch font-style font-variant font-weight
  image-rendering isolation letter-spacing mask mask-type mix-blend-mode opacity overflow paint-order shape-rendering
  stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-opacity stroke-width text-anchor text-decoration text-rendering transform transform-box transform-origin
  unicode-bidi vector-effect visibility word-spacing writing-mode`);

const geometry = words(`
  id class d x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy rotate width height points offset pathLength textLength
  lengthAdjust viewBox preserveAspectRatio gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits
  maskContentUnits`);

export const isDrawingAttribute = (name: string): boolean => geometry.has(name) || styleProperties.has(name);

/** Attributes that are names: what they contain is neither loaded nor run. */
export const namingAttributes = words('id class');

/** Why a property is refused, because the picture would look different without it. */
const refusedProperties = new Map<string, string>([
  ...['filter', 'backdrop-filter'].map((name) => [name, 'filters. Export the logo as paths'] as const),
  ...['marker', 'marker-start', 'marker-mid', 'marker-end'].map(
    (name) => [name, 'markers. Export the logo as paths'] as const,
  ),
  ...['d', 'width', 'height', 'x', 'y', 'cx', 'cy', 'r', 'rx', 'ry'].map(
    (name) => [name, `a size or a shape in its styles (${name}). Make it an attribute`] as const,
  ),
  ...['translate', 'rotate', 'scale', 'offset', 'offset-path'].map(
    (name) => [name, `a movement in its styles (${name}). Use the attribute transform`] as const,
  ),
  ...['background', 'background-color'].map(
    (name) => [name, 'a background in its styles. Draw a rectangle instead'] as const,
  ),
]);
const inherited = /\binherit\b/i;

/** Throws SvgError for a property that draws and is not listed, and for a value that hides what it refers to. */
export function checkProperty(property: string, value: string): void {
  const what = refusedProperties.get(property);
  if (what !== undefined && !/^(none|auto|transparent)$/i.test(value))
    throw new SvgError(`The file has ${what}.`);
  if (property.startsWith('--') || (styleProperties.has(property) && /\bvar\s*\(/i.test(value)))
    throw new SvgError('The file has variables in its styles. Write the values where they are used.');
  // A part inside a mask would refer to a further mask without saying so.
  if ((property === 'mask' || property === 'clip-path') && inherited.test(value))
    throw new SvgError(`The file has ${property}: inherit. Write the value where it is used.`);
}

/** Throws SvgError for an attribute that draws and is not listed. */
export function checkAttribute(name: string, value: string): void {
  if (!geometry.has(name)) checkProperty(name, value.trim());
}

/** Elements that may refer to another part of the picture. */
export const referringElements = words('use linearGradient radialGradient');

const localReference = /url\(\s{0,9}["']?#([\w.:-]{1,200})["']?\s{0,9}\)/g;
const dangerous: readonly [RegExp, string][] = [
  [/\\/, 'escaped characters in its styles'],
  [/(?:java|vb)script\s*:/i, 'scripts'],
  [/url\s*\(|image(?:-set)?\s*\(|src\s*\(|expression\s*\(|data\s*:/i, 'references outside of the file'],
  [/@/, 'style rules that begin with @, such as @import and @font-face'],
];

/** The parts of the picture to which a value refers. Throws SvgError for a value that could load or run something. */
export function referencesIn(value: string): string[] {
  const ids: string[] = [];
  const rest = value.replace(localReference, (_, id: string) => {
    ids.push(id);
    return '';
  });
  for (const [form, what] of dangerous) if (form.test(rest)) throw new SvgError(`The file has ${what}.`);
  return ids;
}

/** The part that an `href` names. */
export function referenceOf(href: string): string {
  const id = /^#([\w.:-]{1,200})$/.exec(href.trim())?.[1];
  if (id === undefined && href.trim().startsWith('#'))
    throw new SvgError('A reference names an id with other characters than letters, digits and . _ : -');
  if (id === undefined)
    throw new SvgError('The file has references outside of the file. Only href="#id" is allowed.');
  return id;
}
