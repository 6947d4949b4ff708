// Chooses the language of a list that fits a tag best: a language of the pages, or of a processor.

/** Languages whose readers understand the other one, for lists that have only that. */
const nearest: Readonly<Record<string, string>> = { nn: 'nb', no: 'nb' };

/** Regions of Latin America, which region code 419 denotes. */
const latinAmerica = new Set(
  'AR BO BR BZ CL CO CR CU DO EC FK GF GT GY HN HT MX NI PA PE PR PY SR SV UY VE'.split(' '),
);

/** The longest tag of a payment; longer ones come only from clients that try things. */
const maxTagLength = 35;

type LocaleParts = { language: string; script: string | undefined; region: string | undefined };

/** A tag's language, script and region. What is missing follows from the rest: zh-TW is Hant, and und-AT is de. */
function readTag(tag: string): LocaleParts | null {
  try {
    const locale = new Intl.Locale(tag.replaceAll('_', '-'));
    const { language, script } = locale.maximize();
    return { language: nearest[language] ?? language, script, region: locale.region };
  } catch {
    // RFC 4647 lookup: without its last part, the rest may be a tag.
    const end = Math.max(tag.lastIndexOf('-'), tag.lastIndexOf('_'));
    return end > 0 && tag.length <= maxTagLength ? readTag(tag.slice(0, end)) : null;
  }
}

/** The entries of the few lists that there are, read once. */
const readLists = new WeakMap<readonly string[], (LocaleParts | null)[]>();

function readList(supported: readonly string[]): (LocaleParts | null)[] {
  const known = readLists.get(supported);
  if (known) return known;
  const parts = supported.map(readTag);
  readLists.set(supported, parts);
  return parts;
}

/** How well a candidate with the right language and script fits; higher is better. */
function fit(wanted: LocaleParts, candidate: LocaleParts): number {
  if (candidate.region === wanted.region) return 3;
  if (candidate.region === '419') return wanted.region && latinAmerica.has(wanted.region) ? 2 : -1;
  return candidate.region === undefined ? 1 : 0;
}

/**
 * The entry of `supported` that fits a BCP 47 tag best: the same language and script, and if possible the
 * same region. The first of equals wins, so a list has the general form of a language first. Null if none
 * fits.
 */
export function matchLocale<Tag extends string>(tag: string, supported: readonly Tag[]): Tag | null {
  const wanted = readTag(tag);
  if (!wanted) return null;
  let best: { entry: Tag; fit: number } | null = null;
  for (const [index, candidate] of readList(supported).entries()) {
    const entry = supported[index];
    if (entry === undefined || candidate?.language !== wanted.language || candidate.script !== wanted.script)
      continue;
    const found = { entry, fit: fit(wanted, candidate) };
    if (!best || found.fit > best.fit) best = found;
  }
  return best?.entry ?? null;
}
