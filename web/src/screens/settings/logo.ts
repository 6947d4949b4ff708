// Turns a person's image into a logo that the service accepts: a small PNG. A large image is scaled down in the
// browser. Nothing is sent anywhere.

import { smallerSizes } from './logo-sizes.ts';

const maxBytes = 8_000;
const maxPixels = 512;
/** Larger files are not read: the browser would have to hold all of it in memory. */
const maxFileBytes = 20_000_000;

export type Size = { width: number; height: number };
type ReadLogo = { base64: string; isScaled: boolean };
export type LogoError = 'notPng' | 'damaged' | 'tooLarge';

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

/** How many bytes a base64 text encodes. */
export const bytesOf = (base64: string) => atob(base64).length;

async function drawPng(picture: ImageBitmap, { width, height }: Size): Promise<Uint8Array | null> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob ? new Uint8Array(await blob.arrayBuffer()) : null;
}

async function scaleDown(picture: ImageBitmap): Promise<ReadLogo | null> {
  for (const size of smallerSizes(picture, maxPixels)) {
    const bytes = await drawPng(picture, size);
    if (bytes && bytes.length <= maxBytes) return { base64: toBase64(bytes), isScaled: true };
  }
  return null;
}

/** The logo in a file, scaled down if needed, or why it can't be used. */
export async function readLogo(file: Blob): Promise<ReadLogo | LogoError> {
  if (file.size > maxFileBytes) return 'tooLarge';
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!signature.every((byte, index) => bytes[index] === byte)) return 'notPng';
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' })).catch(() => null);
  if (!picture) return 'damaged';
  const fits = bytes.length <= maxBytes && Math.max(picture.width, picture.height) <= maxPixels;
  if (fits) return { base64: toBase64(bytes), isScaled: false };
  return (await scaleDown(picture)) ?? 'tooLarge';
}
