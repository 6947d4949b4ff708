// Whether white text is readable on a colour, while somebody chooses it. The service checks again when it is saved.
// Both must give the same result (WCAG 2.2, relative luminance).

/** The contrast that the service requires of the button colour. */
export const minContrast = 4.5;

/** A colour as a person types it (`#1849A9`, `1849a9`, `#18a`), in the form of the API; null for an invalid one. */
export function readColor(text: string): string | null {
  const [, digits = ''] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(text.trim().toLowerCase()) ?? [];
  if (digits === '') return null;
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}

const channelsOf = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of white on a colour like `#1849a9`, 1 to 21. */
export function contrastToWhite(color: string): number {
  return 1.05 / (luminanceOf(color) + 0.05);
}

export const isReadable = (color: string) => contrastToWhite(color) >= minContrast;

const steps = 100;

/** The colour itself, or its lightest shade on which white text is readable. */
export function readableShadeOf(color: string): string {
  const shades = Array.from({ length: steps }, (_, step) => {
    const digits = channelsOf(color).map((channel) => Math.floor((channel * (steps - step)) / steps));
    return `#${digits.map((digit) => digit.toString(16).padStart(2, '0')).join('')}`;
  });
  return shades.find(isReadable) ?? '#000000';
}
