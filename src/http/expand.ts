// The parameter `expand` of calls that return an object with other objects on request.

import { Type } from 'typebox';

/** `names` are all that the call can expand. Others are refused by name. */
export function expandParameter(names: readonly string[]) {
  const name = `(${names.join('|')})`;
  return Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: `^${name}(,${name})*$`,
      'x-hint': `This must be one or more of ${names.join(', ')}, separated by commas.`,
      description: `Objects to include, separated by commas: ${names.join(', ')}`,
      examples: [names.join(',')],
    }),
  );
}

/** The wanted names of a valid parameter. */
export function readExpand<Name extends string>(
  given: string | undefined,
  names: readonly Name[],
): ReadonlySet<Name> {
  const wanted = given?.split(',') ?? [];
  return new Set(names.filter((name) => wanted.includes(name)));
}
