// The sizes in which an image is drawn until it has few enough bytes. Pure.

type Size = { width: number; height: number };

const step = 0.85;
/** A logo lower than this is not recognisable. */
const leastPixels = 16;

/** Decreasing sizes of one shape, the largest first. None has a side of more than `most` pixels. */
export function smallerSizes({ width, height }: Size, most: number): Size[] {
  const sizes: Size[] = [];
  const first = Math.min(1, most / Math.max(width, height));
  for (let scale = first; Math.max(width, height) * scale >= leastPixels; scale *= step) {
    const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
    sizes.push({ width: Math.max(1, across), height: Math.max(1, down) });
  }
  return sizes;
}
