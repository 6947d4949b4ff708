// Chooses the processor's language that fits the language of the payment page best.

/** Languages whose readers understand the other one, for lists that have only that. */
const nearest: Readonly<Record<string, string>> = { nn: 'nb', no: 'nb' };

/** Regions of Latin America, which region code 419 denotes. */
const latinAmerica = new Set(
  'AR BO BR BZ CL CO CR CU DO EC FK GF GT GY HN HT MX NI PA PE PR PY SR SV UY VE'.split(' '),
);

type LocaleParts = { language: string; script: string | undefined; region: string | undefined };

/** A tag's language, script and region. A missing script follows from the rest: zh-TW is Hant. */
function readTag(tag: string): LocaleParts | null {
  try {
    const locale = new Intl.Locale(tag.replaceAll('_', '-'));
    const language = nearest[locale.language] ?? locale.language;
    return { language, script: locale.maximize().script, region: locale.region };
  } catch {
    return null;
  }
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
export function matchLocale(tag: string, supported: readonly string[]): string | null {
  const wanted = readTag(tag);
  if (!wanted) return null;
  let best: { entry: string; fit: number } | null = null;
  for (const entry of supported) {
    const candidate = readTag(entry);
    if (candidate?.language !== wanted.language || candidate.script !== wanted.script) continue;
    const found = { entry, fit: fit(wanted, candidate) };
    if (!best || found.fit > best.fit) best = found;
  }
  return best?.entry ?? null;
}
