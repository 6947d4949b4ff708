// Parses the arguments of `npm run bench --`. Must not: guess. Unknown arguments are refused.

import { parseArgs } from 'node:util';
import { PlainFault } from '../scripts/toolchain.mjs';

export type Options = {
  isJson: boolean;
  isCheck: boolean;
  /** The names of selected measurements; null for all. */
  only: readonly string[] | null;
  /** The numbers of payments in the table, smallest first; the later ones show the growth. */
  sizes: number[];
  seconds: number;
  repeat: number;
};

function readCount(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new PlainFault(`--${name} takes a whole number from ${min} to ${max}, not "${text}".`);
}

function parse(args: readonly string[]) {
  const options = {
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    only: { type: 'string' },
    size: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '10' },
    repeat: { type: 'string', default: '3' },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new PlainFault(error instanceof Error ? error.message : String(error));
  }
}

/** Parses the arguments; `known` are the available names. Throws a sentence about a fault. */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const values = parse(args);
  const only = values.only?.split(',') ?? null;
  const unknown = only?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new PlainFault(`--only knows ${known.join(', ')}, not "${unknown}".`);
  const sizes = values.size
    .split(',')
    .map((text) => readCount('size', text, { min: 2_000, max: 50_000_000 }))
    .sort((a, b) => a - b);
  return {
    isJson: values.json,
    isCheck: values.check,
    only,
    sizes,
    seconds: readCount('seconds', values.seconds, { min: 1, max: 600 }),
    repeat: readCount('repeat', values.repeat, { min: 1, max: 99 }),
  };
}
