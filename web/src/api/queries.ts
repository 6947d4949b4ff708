// The hooks by which screens use the API: a cached query, a list by pages, and a mutation. When the session has ended,
// each waits for a new sign-in, and then continues.

import {
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/preact-query';
import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks';
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

type Api = {
  call<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options?: RequestOptions,
  ): Promise<OperationResponse<Id>>;
  /** The raw response, for files. */
  fetch<Id extends OperationId>(id: Id, input: Input<Id>, options?: RequestOptions): Promise<Response>;
};

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

type ApiQueryOptions<Data> = {
  isEnabled?: boolean;
  /** Repeats the query at this interval while the page is visible. It may depend on the data; false for never. */
  refetchIntervalMs?: number | ((data: Data) => number | false);
  /** Shows the previous data while the next loads, for example after a filter changes. */
  keepsPrevious?: boolean;
};

/** What queries and lists share. `isBackground` returns whether no person caused a call. */
function useQueryOptions<Data>(id: OperationId, input: unknown, options: ApiQueryOptions<Data>) {
  const { session, mode } = useSession();
  const hasFetched = useRef(false);
  const intervalMs = useRef<number | false>(false);
  const { isEnabled = true, refetchIntervalMs = () => false, keepsPrevious = false } = options;
  return {
    shared: {
      // The cache key: company, mode, operation and input.
      queryKey: [id, session.companyId, mode, input],
      enabled: isEnabled,
      refetchInterval: ({ state: { data } }: { state: { data: unknown } }) => {
        const isFixed = typeof refetchIntervalMs === 'number';
        intervalMs.current = isFixed ? refetchIntervalMs : data ? refetchIntervalMs(data as Data) : false;
        return intervalMs.current;
      },
      retry: (failures: number, fault: unknown) => failures < 2 && !(fault instanceof ApiProblem),
      ...(keepsPrevious ? { placeholderData: (before: unknown) => before as never } : {}),
    },
    isBackground: (queryKey: QueryKey) => {
      // Polling must not extend the session. The first query is caused by a person.
      const isPolled = hasFetched.current && intervalMs.current !== false;
      hasFetched.current = true;
      return isPolled || isFeedRefresh(queryKey);
    },
  };
}

/** A cached response of the API: `{ data, error, isPending, refetch, … }` of TanStack Query. */
export function useApiQuery<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: ApiQueryOptions<OperationResponse<Id>> = {},
) {
  const api = useApi();
  const { shared, isBackground } = useQueryOptions(id, input, options);
  return useQuery<OperationResponse<Id>>({
    ...shared,
    queryFn: async ({ queryKey, signal }) =>
      await api.call(id, input, { signal, isBackground: isBackground(queryKey) }),
  });
}

type ListOperationId = {
  [Id in OperationId]: OperationResponse<Id> extends { data: unknown[]; nextCursor: string | null }
    ? Id
    : never;
}[OperationId];
type ListEntry<Id extends ListOperationId> =
  OperationResponse<Id> extends { data: (infer One)[] } ? One : never;

type Pages<Id extends ListOperationId> = { pages: { data: ListEntry<Id>[] }[] };

/** A list by pages: `entries` has those of all pages so far, `fetchNextPage` loads more while `hasNextPage`. */
export function useApiList<Id extends ListOperationId>(
  id: Id,
  input: Input<Id>,
  { refetchIntervalMs, ...options }: ApiQueryOptions<readonly ListEntry<Id>[]> = {},
) {
  const api = useApi();
  const entriesOf = ({ pages }: Pages<Id>) => pages.flatMap(({ data }) => data);
  const { shared, isBackground } = useQueryOptions<Pages<Id>>(id, input, {
    ...options,
    ...(typeof refetchIntervalMs === 'function'
      ? { refetchIntervalMs: (data) => refetchIntervalMs(entriesOf(data)) }
      : {}),
  });
  const result = useInfiniteQuery({
    ...shared,
    initialPageParam: null as string | null,
    queryFn: async ({ queryKey, pageParam, signal }) => {
      const query = { ...(input as { query?: object }).query, ...(pageParam ? { cursor: pageParam } : {}) };
      return await api.call(id, { ...input, query } as Input<Id>, {
        signal,
        isBackground: isBackground(queryKey),
      });
    },
    getNextPageParam: (last) => (last as { nextCursor: string | null }).nextCursor,
  });
  return { ...result, entries: entriesOf((result.data ?? { pages: [] }) as unknown as Pages<Id>) };
}

type MorePages = { hasNextPage: boolean; isFetching: boolean; isError: boolean; fetchNextPage(): unknown };

/** Loads the next page of a list, one after another, while it `isWanted`. */
export function useMorePages(list: MorePages, isWanted: boolean): void {
  const { hasNextPage, isFetching, isError, fetchNextPage } = list;
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isWanted, hasNextPage, isFetching, isError, fetchNextPage]);
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
 * carried out once. While a request is in progress, as after a double press, the same input is not sent. `invalidates`
 * names the operations whose data it makes stale, or whose data a refusal shows to be stale.
 */
export function useApiMutation<Id extends OperationId>(
  id: Id,
  options: {
    invalidates?: readonly OperationId[];
    onSuccess?: (response: OperationResponse<Id>, input: Input<Id>) => void;
  } = {},
) {
  const api = useApi();
  const client = useQueryClient();
  const last = useRef<{ text: string; key: string } | null>(null);
  const refresh = () => {
    for (const old of options.invalidates ?? []) void client.invalidateQueries({ queryKey: [old] });
  };
  const pending = useRef(new Set<string>());
  const result = useMutation<OperationResponse<Id>, Error, Input<Id>>({
    networkMode: 'always',
    mutationFn: async (input) => {
      const text = JSON.stringify(input);
      if (last.current?.text !== text) last.current = { text, key: randomName() };
      return await api.call(id, input, { idempotencyKey: last.current.key });
    },
    onSuccess: (response, input) => {
      last.current = null;
      refresh();
      options.onSuccess?.(response, input);
    },
    onError: (fault) => {
      // The API stores its response to a key, errors too. A retry after one needs a new key.
      if (isFinalResponse(fault)) last.current = null;
      // Refused because the status differs from what was shown.
      if (isStale(fault)) refresh();
    },
    onSettled: (_response, _fault, input) => void pending.current.delete(JSON.stringify(input)),
  });
  const mutate: typeof result.mutate = (...given) => {
    const text = JSON.stringify(given[0]);
    if (pending.current.has(text)) return;
    pending.current.add(text);
    result.mutate(...given);
  };
  return { ...result, mutate };
}
