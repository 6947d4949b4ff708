// The dark modules of a QR code (ISO/IEC 18004) as an SVG path.

/** The used part of the package, which is loaded when the first code is drawn. */
type Encode = (
  typeNumber: 0,
  correction: 'M',
) => {
  addData(data: string): void;
  make(): void;
  getModuleCount(): number;
  isDark(row: number, column: number): boolean;
};

export type QrOutline = {
  /** Modules a side, with the light border that the standard requires. */
  side: number;
  /** The dark modules, for `d` of a path. */
  path: string;
};

const borderModules = 4;

/** The outline of the smallest code that holds a text of ASCII characters. */
export function outlineQr(encode: Encode, text: string): QrOutline {
  const code = encode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++)
      if (code.isDark(row, column)) path += `M${column + borderModules} ${row + borderModules}h1v1h-1z`;
  return { side: count + 2 * borderModules, path };
}
