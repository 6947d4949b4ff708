// Colours as `#rrggbb`: the contrast of two, and darker and lighter shades. Pure.

function channelsOf(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(hex).map((channel) => {
    const factor = channel / 255;
    return factor <= 0.04045 ? factor / 12.92 : ((factor + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrastRatio(one: string, other: string): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const writeHex = (channels: readonly number[]): string =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;

/** `factor` from 0 (black) to 1 (as it is). */
export function darken(hex: string, factor: number): string {
  return writeHex(channelsOf(hex).map((channel) => Math.floor(channel * factor)));
}

/** `factor` from 0 (white) to 1 (as it is). */
export function lighten(hex: string, factor: number): string {
  return writeHex(channelsOf(hex).map((channel) => 255 - Math.floor((255 - channel) * factor)));
}

const shades = 64;

/**
 * The shade nearest to a colour that has a contrast on every background: darker ones for light backgrounds, lighter ones for
 * dark backgrounds. Black or white if no other has it.
 */
export function readableShade(hex: string, backgrounds: readonly string[], contrast: number): string {
  const isOnDark = backgrounds.every((background) => luminanceOf(background) < 0.18);
  const change = isOnDark ? lighten : darken;
  const isReadable = (color: string) =>
    backgrounds.every((background) => contrastRatio(color, background) >= contrast);
  for (let step = shades; step > 0; step--) {
    const shade = change(hex, step / shades);
    if (isReadable(shade)) return shade;
  }
  return isOnDark ? '#ffffff' : '#000000';
}
