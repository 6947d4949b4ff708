// The hooks by which screens use the API: a cached query, a list by pages, and a mutation. When the session has ended,
// each waits for a new sign-in, and then continues.

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/preact-query';
import { useCallback, useMemo, useRef } from 'preact/hooks';
import { randomName } from '../base/random-name.ts';
import {
  ApiProblem,
  type CallOptions,
  call,
  fetchOperation,
  type Input,
  type OperationId,
  type OperationResponse,
} from './call.ts';
import { isFeedRefresh } from './refresh.ts';
import { isOfSession, type Session, useSession } from './session.tsx';

type RequestOptions = Pick<CallOptions, 'isBackground' | 'idempotencyKey' | 'signal'>;

/** Performs operations in the current mode and session. */
export type Api = {
  call<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options?: RequestOptions,
  ): Promise<OperationResponse<Id>>;
  /** The raw response, for files. */
  fetch<Id extends OperationId>(id: Id, input: Input<Id>, options?: RequestOptions): Promise<Response>;
};

/** The API for the signed-in person. For what the hooks below don't cover. */
export function useApi(): Api {
  const { mode, current, renew } = useSession();
  const withSession = useCallback(
    async <T>(options: RequestOptions, work: (options: CallOptions) => Promise<T>): Promise<T> => {
      const session = current();
      const sendIn = async ({ csrfToken }: Session) => await work({ ...options, mode, csrfToken });
      try {
        return await sendIn(session);
      } catch (fault) {
        if (!isOfSession(fault)) throw fault;
        return await sendIn(await renew(fault, session));
      }
    },
    [mode, current, renew],
  );
  return useMemo<Api>(
    () => ({
      call: async (id, input, options = {}) => await withSession(options, (all) => call(id, input, all)),
      fetch: async (id, input, options = {}) =>
        await withSession(options, (all) => fetchOperation(id, input, all)),
    }),
    [withSession],
  );
}

/** The cache key of a response: company, mode, operation and input. */
function useKey() {
  const { session, mode } = useSession();
  return (id: OperationId, input: unknown) => [id, session.companyId, mode, input];
}

export type ApiQueryOptions = {
  /** False: the query does not run yet. */
  isWanted?: boolean;
  /** Repeats the query at this interval while the page is visible. */
  everyMs?: number | false;
  /** Shows the previous data while the next loads, for example after a filter changes. */
  keepsLast?: boolean;
};

const retryable = (failures: number, fault: unknown) =>
  failures < 2 && !(fault instanceof Error && fault.name === 'ApiProblem');

const isPolled = ({ everyMs }: ApiQueryOptions) => everyMs !== undefined && everyMs !== false;

/** A cached response of the API: `{ data, error, isPending, refetch, … }` of TanStack Query. */
export function useApiQuery<Id extends OperationId>(id: Id, input: Input<Id>, options: ApiQueryOptions = {}) {
  const api = useApi();
  const key = useKey();
  const hasFetched = useRef(false);
  return useQuery<OperationResponse<Id>>({
    queryKey: key(id, input),
    enabled: options.isWanted ?? true,
    retry: retryable,
    refetchInterval: options.everyMs ?? false,
    ...(options.keepsLast ? { placeholderData: (before: unknown) => before as never } : {}),
    queryFn: async ({ queryKey, signal }) => {
      // Polling must not extend the session. The first query is caused by a person.
      const isBackground = isFeedRefresh(queryKey) || (hasFetched.current && isPolled(options));
      hasFetched.current = true;
      return await api.call(id, input, { signal, isBackground });
    },
  });
}

type ListOperationId = {
  [Id in OperationId]: OperationResponse<Id> extends { data: unknown[]; nextCursor: string | null }
    ? Id
    : never;
}[OperationId];
type ListEntry<Id extends ListOperationId> =
  OperationResponse<Id> extends { data: (infer One)[] } ? One : never;

/** A list by pages: `entries` has those of all pages so far, `fetchNextPage` loads more while `hasNextPage`. */
export function useApiList<Id extends ListOperationId>(
  id: Id,
  input: Input<Id>,
  options: ApiQueryOptions = {},
) {
  const api = useApi();
  const key = useKey();
  const hasFetched = useRef(false);
  const result = useInfiniteQuery({
    queryKey: key(id, input),
    enabled: options.isWanted ?? true,
    retry: retryable,
    refetchInterval: options.everyMs ?? false,
    ...(options.keepsLast ? { placeholderData: (before: unknown) => before as never } : {}),
    initialPageParam: null as string | null,
    queryFn: async ({ queryKey, pageParam, signal }) => {
      const query = { ...(input as { query?: object }).query, ...(pageParam ? { cursor: pageParam } : {}) };
      const isBackground = isFeedRefresh(queryKey) || (hasFetched.current && isPolled(options));
      hasFetched.current = true;
      return await api.call(id, { ...input, query } as Input<Id>, { signal, isBackground });
    },
    getNextPageParam: (last) => (last as { nextCursor: string | null }).nextCursor,
  });
  const pages = (result.data?.pages ?? []) as unknown as { data: ListEntry<Id>[] }[];
  return { ...result, entries: pages.flatMap(({ data }) => data) };
}

/**
 * Whether the API has decided on a request: after a refusal nothing was done. After any other error, the result is
 * unknown.
 */
export const isFinalResponse = (fault: unknown) =>
  fault instanceof ApiProblem &&
  fault.problem.status < 500 &&
  fault.problem.code !== 'idempotency_in_progress';

const isStale = (fault: unknown) =>
  fault instanceof ApiProblem && (fault.problem.status === 409 || fault.problem.status === 412);

/**
 * A mutation: `mutate(input)`. Repeating the same input after a lost response sends the same Idempotency-Key, so it is
 * carried out once. While a request is under way, as after a double press, the same input is not sent. `refreshes`
 * names the operations whose data it makes stale, or whose data a refusal shows to be stale.
 */
export function useApiMutation<Id extends OperationId>(
  id: Id,
  options: {
    refreshes?: readonly OperationId[];
    onDone?: (answer: OperationResponse<Id>, input: Input<Id>) => void;
  } = {},
) {
  const api = useApi();
  const client = useQueryClient();
  const last = useRef<{ text: string; key: string } | null>(null);
  const refresh = () => {
    for (const old of options.refreshes ?? []) void client.invalidateQueries({ queryKey: [old] });
  };
  const underWay = useRef(new Set<string>());
  const result = useMutation<OperationResponse<Id>, Error, Input<Id>>({
    networkMode: 'always',
    mutationFn: async (input) => {
      const text = JSON.stringify(input);
      if (last.current?.text !== text) last.current = { text, key: randomName() };
      return await api.call(id, input, { idempotencyKey: last.current.key });
    },
    onSuccess: (answer, input) => {
      last.current = null;
      refresh();
      options.onDone?.(answer, input);
    },
    onError: (fault) => {
      // The API stores its response to a key, errors too. A retry after one needs a new key.
      if (isFinalResponse(fault)) last.current = null;
      // Refused because the status differs from what was shown.
      if (isStale(fault)) refresh();
    },
    onSettled: (_answer, _fault, input) => void underWay.current.delete(JSON.stringify(input)),
  });
  const mutate: typeof result.mutate = (...given) => {
    const text = JSON.stringify(given[0]);
    if (underWay.current.has(text)) return;
    underWay.current.add(text);
    result.mutate(...given);
  };
  return { ...result, mutate };
}
