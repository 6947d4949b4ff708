// The retired words of docs/glossary.md, which may not return to identifiers and comments. Must not: forbid a word
// in a string, because strings hold names that installations depend on (columns, settings, log keys).

import type { Facts } from './tidy-source.ts';

/** A retired word as it appears in an identifier, split into lower-case words, or in a comment. */
export type RetiredWord = { what: RegExp; instead: string; planted: string; allowedIn?: RegExp };

export const retiredWords: readonly RetiredWord[] = [
  { what: /\bbells?\b/, instead: 'processor webhook, or wake-up', planted: 'ringBell' },
  { what: /\b(desk|yard|parcel)s?\b/, instead: 'worker, state, delivery', planted: 'const desk = 1;' },
  {
    what: /\b(victim|weather|graves?|graveyard)\b/,
    instead: 'process, disturbance, dead letters',
    planted: '// The victim ends.',
  },
  { what: /\bfaces\b/, instead: 'fonts', planted: 'loadFaces' },
  { what: /\bodd (lines?|bookings?)\b/, instead: 'unusual lines', planted: 'oddLines' },
  { what: /\bwalls?\b(?! clock)/, instead: 'tenant isolation', planted: '// Behind the wall of the tenant.' },
  { what: /\btold\b/, instead: 'reported, notified', planted: 'toldMerchant' },
  {
    what: /\b(given back|gave back|gives? back)\b/,
    instead: 'refunded, or returned',
    planted: '// The money is given back.',
  },
  { what: /\bnobody owed\b/, instead: 'overpayment', planted: '// Money that nobody owed.' },
  { what: /\bby halves\b/, instead: 'partially', planted: '// Paid by halves.' },
  { what: /\bgather(s|ed|ing|er)?\b/, instead: 'batch, or collect', planted: 'gatherPayments' },
  { what: /\bin turns\b/, instead: 'serializeByKey', planted: 'inTurns' },
  { what: /\bgood macs?\b/, instead: 'acceptedMacs', planted: 'goodMacs' },
  { what: /\bstanding\b/, instead: 'status, or PaymentWithAttempt', planted: 'type Standing = string;' },
  { what: /\breseal(s|ing)?\b/, instead: 're-encrypt', planted: 'resealSecrets' },
  { what: /\be-mails?\b|\be mails?\b/, instead: 'email', planted: '// Sends an e-mail.' },
  {
    what: /\b(anew|hither|thither|thereof|whereof)\b/,
    instead: 'again, or the plain word',
    planted: '// Reads it anew.',
  },
];

/** `resealSecrets` → `reseal secrets`: the words of an identifier, so that a retired word is found inside. */
const wordsOf = (identifier: string) =>
  identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_$]+/g, ' ')
    .toLowerCase();

/** The text of a line's comment; empty for a line of code. A comment after code begins with ` // `. */
function commentOf(line: string): string {
  const whole = /^\s*(?:\/\/|\/\*|\*|--)(.*)$/.exec(line)?.[1];
  return (whole ?? /[;,{}()] \/\/ (.*)$/.exec(line)?.[1] ?? '').toLowerCase();
}

/** Every retired word in the identifiers and comments of one file. */
export function findRetiredWords(facts: Facts): { line: number; message: string }[] {
  const comments = facts.text.split('\n').map((text, index) => ({ text: commentOf(text), line: index + 1 }));
  const names = facts.identifiers.map(({ name, line }) => ({ text: wordsOf(name), line }));
  return [...comments, ...names].flatMap(({ text, line }) =>
    retiredWords
      .filter((word) => !word.allowedIn?.test(facts.path))
      .flatMap(({ what, instead }) => {
        const found = what.exec(text)?.[0];
        return found === undefined ? [] : [{ line, message: `"${found}" is retired: write ${instead}` }];
      }),
  );
}
