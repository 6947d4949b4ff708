// What a tool is: a row of the table from which the list, the checks and the calls are made. Must not: know a single
// tool by name.

import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { CallOptions, Paylink } from '../../sdk/src/index.ts';
import type { Act } from './acts.ts';

export type Mode = 'test' | 'live';

/** What a tool has at hand. `options` end its calls when the client cancels the request. */
export type ToolContext = {
  paylink: Paylink;
  options: CallOptions;
  mode: Mode;
  /** The acts of `--allow`. */
  allowed: ReadonlySet<Act>;
};

/** How a result is marked. `paylink` is from Paylink alone, `others` may have texts of other people. */
export type Origin = 'paylink' | 'others';

/** The hints of the protocol, from which a client decides whether to ask its user. */
type Hints = { destructiveHint: boolean; idempotentHint: boolean };

export type Tool = {
  name: string;
  title: string;
  description: string;
  /** The scope that the service key needs; null for none. */
  scope: string | null;
  /** The act that must be allowed; null for a tool that only reads. */
  act: Act | null;
  hints: Hints;
  input: TObject;
  origin: Origin;
  output: TSchema;
  run(context: ToolContext, given: Record<string, unknown>): Promise<ToolOutput>;
};

export type ToolOutput = {
  data: unknown;
  /** For an act: whether the service returned the response of an earlier call with the same key. */
  isReplayed?: boolean;
  /** What to show as text instead of the JSON, if no part of it is from others. */
  text?: string;
};

type Row<Input extends TObject> = Pick<Tool, 'name' | 'title' | 'description' | 'output'> & { input: Input };

// The arguments were checked against `input` before `run` is called.
const typed = <Input extends TObject>(given: Record<string, unknown>) => given as Static<Input>;

/** A tool that changes nothing. */
export function readingTool<Input extends TObject>(
  row: Row<Input> & {
    scope: string | null;
    origin?: Origin;
    read(context: ToolContext, given: Static<Input>): Promise<unknown>;
    /** What to show as text instead of the JSON. */
    textOf?(data: unknown): string;
  },
): Tool {
  const { read, textOf, origin = 'others', ...rest } = row;
  return {
    ...rest,
    origin,
    act: null,
    hints: { destructiveHint: false, idempotentHint: true },
    run: async (context, given) => {
      const data = await read(context, typed<Input>(given));
      return textOf ? { data, text: textOf(data) } : { data };
    },
  };
}

/** A tool that changes something. */
export function actingTool<Input extends TObject>(
  row: Row<Input> & {
    act: Act;
    isDestructive: boolean;
    perform(context: ToolContext, given: Static<Input>): Promise<unknown>;
  },
): Tool {
  const { perform, isDestructive, ...rest } = row;
  return {
    ...rest,
    scope: row.act,
    origin: 'others',
    hints: { destructiveHint: isDestructive, idempotentHint: true },
    run: async ({ options, ...context }, given) => {
      let isReplayed = false;
      const noting: CallOptions = {
        ...options,
        onAnswer: ({ headers }) => {
          isReplayed = headers.get('idempotent-replayed') === 'true';
        },
      };
      const data = await perform({ ...context, options: noting }, typed<Input>(given));
      return { data, isReplayed };
    },
  };
}

/** One of the given texts. */
export const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });

export const paymentLinkCode = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[\\w-]+$',
  description: 'The PaymentLinkCode of the payment, as list_payments returns it',
});

export const optionalText = (description: string, maxLength: number) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));

export const time = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: `${description}; RFC 3339, such as 2026-11-20T00:00:00Z`,
    }),
  );

export const maxEntries = 100;
/** Fewer than the API's 25: a result fills the memory of the model that reads it. */
export const defaultEntries = 10;

export const limit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: maxEntries,
    description: `The number of entries, 1 to ${maxEntries}; default ${defaultEntries}`,
  }),
);

/** The arguments of a list with pages. */
export const pageArguments = {
  limit,
  cursor: optionalText('The nextCursor of the previous result, with the same other arguments', 4_000),
};

export const argumentsOf = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

/** The arguments of a list, with the default limit. */
export const listed = <Given extends object>(given: Given) => ({ limit: defaultEntries, ...given });

/** The schema of a page of a list. */
export const pageOf = (entry: TSchema, description: string) =>
  Type.Object(
    {
      data: Type.Array(entry),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Pass it as cursor to continue; null on the last page',
      }),
    },
    { description },
  );
