// A pseudo-language: English with accents and doubled vowels, so that texts are 40 % longer and still readable. It shows
// texts that are not in the catalogue, and places that are too narrow.

import type { Tree } from '../harness/check-catalogue.ts';

const accents: Readonly<Record<string, string>> = {
  ...{ a: 'áà', e: 'éè', i: 'íì', o: 'óò', u: 'úù', y: 'ýÿ', A: 'ÁÀ', E: 'ÉÈ', I: 'ÍÌ', O: 'ÓÒ', U: 'ÚÙ' },
  ...{ c: 'ç', n: 'ñ', s: 'š', z: 'ž', C: 'Ç', N: 'Ñ', S: 'Š', Z: 'Ž' },
};

/** Changes only what is shown: braces at odd depths hold names and the forms of a plural. */
export function pseudoText(message: string): string {
  let depth = 0;
  return [...message]
    .map((character) => {
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      return depth % 2 === 0 ? (accents[character] ?? character) : character;
    })
    .join('');
}

/** A catalogue in the pseudo-language. */
export function pseudoTexts(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [
      key,
      typeof value === 'string' ? pseudoText(value) : pseudoTexts(value),
    ]),
  );
}
