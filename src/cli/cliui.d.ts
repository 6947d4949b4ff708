// What we use of cliui, which brings no types.

declare module 'cliui' {
  export type Cell = {
    text: string;
    width?: number;
    align?: 'left' | 'right' | 'center';
    /** Top, right, bottom, left. */
    padding?: [number, number, number, number];
  };
  export default function cliui(options: { width: number }): {
    div(...cells: Cell[]): void;
    toString(): string;
  };
}
