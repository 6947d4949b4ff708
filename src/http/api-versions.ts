// The versions of the API, by date, and how objects looked before each of them. docs/versions.md has the same list. `/v1`
// only grows, so a version is needed only for a change that is not an addition. Pure.

import type { TSchema } from 'typebox';

type Shape = Record<string, unknown>;

export type ApiChange = {
  /** For docs/versions.md. */
  description: string;
  /**
   * The object before the change, from the object after it, by the title of its schema. Must not change its argument, and
   * returns an object that is in the older shape already as it is: the stored response of an Idempotency-Key may be.
   */
  older?: Readonly<Record<string, (object: Readonly<Shape>) => Shape>>;
};

export type ApiVersion = {
  date: string;
  changes: readonly ApiChange[];
  /** When it ends, once that is announced. */
  sunsetAt?: Date;
};

/** Oldest first. A version that was released stays as it is, until it ends. */
export const apiVersions: readonly ApiVersion[] = [
  {
    date: '2026-12-01',
    changes: [
      {
        description:
          'The first version. Objects have consistent names, such as `createdAt` and `paymentLinkCode`, beside their former ones',
      },
    ],
  },
];

export type ApiDeprecation = { since: Date; sunsetAt?: Date };

const consistentNames: ApiDeprecation = { since: new Date('2026-12-01T00:00:00Z') };

/** When a deprecated field or parameter became deprecated, by its name. All others did with the consistent names. */
const deprecations: Readonly<Record<string, ApiDeprecation>> = {
  responseCode: { since: new Date('2026-01-01T00:00:00Z') },
};

export const newestOf = (versions: readonly ApiVersion[]): string => versions.at(-1)?.date ?? '';
export const newestVersion = newestOf(apiVersions);

/** The version that a request wants: the newest by default. Null if it is unknown. */
export function findVersion(versions: readonly ApiVersion[], wanted: unknown): string | null {
  if (wanted === undefined) return newestOf(versions);
  return versions.find(({ date }) => date === wanted)?.date ?? null;
}

/** The functions that lead from the newest shape to that of a version, by the title of the schema, newest first. */
function changesAfter(versions: readonly ApiVersion[], version: string) {
  const changes = versions
    .filter(({ date }) => date > version)
    .toReversed()
    .flatMap((later) => later.changes.toReversed());
  return (title: string) => changes.flatMap(({ older }) => older?.[title] ?? []);
}

type Described = {
  title?: string;
  properties?: Record<string, Described>;
  items?: Described;
  anyOf?: Described[];
};

/** A value of a schema in the newest shape, as a version shows it. */
export function presentAs(
  version: string,
  schema: TSchema,
  value: unknown,
  versions: readonly ApiVersion[] = apiVersions,
): unknown {
  if (version === newestOf(versions)) return value;
  return presentWith(changesAfter(versions, version), schema as Described, value);
}

function presentWith(
  changesOf: ReturnType<typeof changesAfter>,
  { title, properties, items, anyOf }: Described,
  value: unknown,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const form = anyOf?.find((one) => one.properties ?? one.items);
  if (form) return presentWith(changesOf, form, value);
  if (Array.isArray(value)) return items ? value.map((item) => presentWith(changesOf, items, item)) : value;
  const entries = Object.entries(value).map(([name, member]) => {
    const described = properties?.[name];
    return [name, described ? presentWith(changesOf, described, member) : member];
  });
  const shown = Object.fromEntries(entries) as Shape;
  return title === undefined ? shown : changesOf(title).reduce((shape, change) => change(shape), shown);
}

/** What is deprecated in a schema: the earliest beginning and the earliest end. Null if nothing is. */
export function deprecationOf(schemas: readonly unknown[]): ApiDeprecation | null {
  const found = schemas.flatMap((schema) => deprecatedIn(schema));
  return found.length === 0 ? null : joinDeprecations(found);
}

function deprecatedIn(schema: unknown): ApiDeprecation[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, items, anyOf = [] } = schema as Described;
  const own = Object.entries(properties).flatMap(([name, member]) => {
    const isDeprecated = (member as { deprecated?: boolean }).deprecated === true;
    return isDeprecated ? [deprecations[name] ?? consistentNames] : deprecatedIn(member);
  });
  return [...own, ...deprecatedIn(items), ...anyOf.flatMap((member) => deprecatedIn(member))];
}

const earliest = (times: readonly Date[]) => times.toSorted((a, b) => a.getTime() - b.getTime())[0];

function joinDeprecations(found: readonly ApiDeprecation[]): ApiDeprecation {
  const since = earliest(found.map((each) => each.since)) ?? new Date(0);
  const sunsetAt = earliest(found.flatMap((each) => each.sunsetAt ?? []));
  return { since, ...(sunsetAt ? { sunsetAt } : {}) };
}

/** The deprecation of a response: of what it contains, and of its version, which a later one replaced. */
export function deprecationAt(
  versions: readonly ApiVersion[],
  version: string,
  contained: ApiDeprecation | null,
): ApiDeprecation | null {
  const index = versions.findIndex(({ date }) => date === version);
  const next = versions[index + 1];
  const found = contained ? [contained] : [];
  if (next) {
    const sunsetAt = versions[index]?.sunsetAt;
    found.push({ since: new Date(`${next.date}T00:00:00Z`), ...(sunsetAt ? { sunsetAt } : {}) });
  }
  return found.length === 0 ? null : joinDeprecations(found);
}
