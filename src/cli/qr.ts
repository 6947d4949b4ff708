// A QR code for a terminal: two rows of modules in one line of text.

import encodeQR from 'qr';

/** Without colours, the blocks draw the light modules, because most terminals are dark. */
export function drawQr(text: string, options: { hasColour: boolean }): string[] {
  const lines = encodeQR(text, 'ascii', { ecc: 'low', border: 2 }).trimEnd().split('\n');
  return options.hasColour ? lines.map((line) => `\u001b[97;40m${line}\u001b[0m`) : lines;
}
