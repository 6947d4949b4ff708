// Colours as `#rrggbb`: the contrast of two, and a darker shade. Pure.

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

/** `factor` from 0 (black) to 1 (as it is). */
export function darken(hex: string, factor: number): string {
  const channels = channelsOf(hex).map((channel) => Math.floor(channel * factor));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
