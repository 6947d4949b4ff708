// What is typed after `npm run bench --`. It must never guess: what it does not know, it refuses.

import { parseArgs } from 'node:util';
import { PlainFault } from '../scripts/toolchain.mjs';

export type Options = {
  isJson: boolean;
  isCheck: boolean;
  /** Names of what is to be measured, or null for all. */
  only: readonly string[] | null;
  /** How many payments are in the table, the smallest first; the later ones tell the growth. */
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

/** Reads the arguments; `known` are the names that may be chosen. Throws a sentence about what is wrong. */
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
