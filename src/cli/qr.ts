// A QR code made of half blocks, two rows of modules in one line of text. It must keep dark modules
// darker than light ones on whatever background, or phones cannot read it.

import qrcode from 'qrcode-generator';

/** Light modules around the code, without which a phone does not find it. */
const quietModules = 2;

/** White on black by colours; without colours, light modules are drawn, as most terminals are dark. */
const blocks = { both: '█', top: '▀', bottom: '▄', none: ' ' };

/** The code of a text as lines. */
export function drawQr(text: string, options: { hasColour: boolean }): string[] {
  const code = qrcode(0, 'L');
  code.addData(text);
  code.make();
  const modules = code.getModuleCount();
  const size = modules + 2 * quietModules;
  const isLight = (row: number, column: number) => {
    const [y, x] = [row - quietModules, column - quietModules];
    const isInside = x >= 0 && y >= 0 && x < modules && y < modules;
    return !isInside || !code.isDark(y, x);
  };
  const lines: string[] = [];
  for (let row = 0; row < size; row += 2) {
    let line = '';
    for (let column = 0; column < size; column++) {
      const top = isLight(row, column);
      // The last line has no lower row; its lower half belongs to what is around the code.
      const bottom = row + 1 >= size || isLight(row + 1, column);
      line += top && bottom ? blocks.both : top ? blocks.top : bottom ? blocks.bottom : blocks.none;
    }
    lines.push(options.hasColour ? `\u001b[97;40m${line}\u001b[0m` : line);
  }
  return lines;
}
