// Reads the file of a logo, and draws it as a PNG that is small enough. The service checks each file again.

import { smallerSizes } from './logo-sizes.ts';

export type LogoFault = 'wrongType' | 'tooLarge';

const maxBytes = 100_000;
const maxPixels = 1_024;
/** Of the PNG in the settings, for emails and PDF files. */
const maxSmallBytes = 8_000;
const maxSmallPixels = 512;
/** Larger files are not read: the browser would have to hold all of it in memory. */
const maxFileBytes = 20_000_000;

type Size = { width: number; height: number };
type Picture = CanvasImageSource & Size;

async function drawPng(picture: Picture, { width, height }: Size): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  return await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
}

async function drawWithin(picture: Picture, pixels: number, bytes: number): Promise<Blob | null> {
  for (const size of smallerSizes(picture, pixels)) {
    const drawn = await drawPng(picture, size);
    if (drawn && drawn.size <= bytes) return drawn;
  }
  return null;
}

/** The file as it is uploaded: a PNG is scaled down if it must be. */
export async function readLogoFile(file: Blob): Promise<Blob | LogoFault> {
  if (file.type === 'image/svg+xml') return file.size > maxBytes ? 'tooLarge' : file;
  if (file.type !== 'image/png') return 'wrongType';
  if (file.size > maxFileBytes) return 'tooLarge';
  const picture = await createImageBitmap(file).catch(() => null);
  // The service says what is wrong with a damaged file.
  if (!picture) return file.size > maxBytes ? 'tooLarge' : file;
  if (file.size <= maxBytes && Math.max(picture.width, picture.height) <= maxPixels) return file;
  return (await drawWithin(picture, maxPixels, maxBytes)) ?? 'tooLarge';
}

async function loadImage(file: Blob): Promise<HTMLImageElement | null> {
  const url = URL.createObjectURL(file);
  const image = new Image();
  image.src = url;
  const isLoaded = await image.decode().then(
    () => true,
    () => false,
  );
  URL.revokeObjectURL(url);
  return isLoaded && image.width > 0 && image.height > 0 ? image : null;
}

/** A picture as a PNG in base64; null if the browser cannot draw it in few enough bytes. */
export async function drawSmallPng(file: Blob): Promise<string | null> {
  const image = await loadImage(file);
  const drawn = image && (await drawWithin(image, maxSmallPixels, maxSmallBytes));
  return drawn ? btoa(String.fromCharCode(...new Uint8Array(await drawn.arrayBuffer()))) : null;
}
