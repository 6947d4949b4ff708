// The hooks by which screens ask the API: a question that is kept and refreshed, a list that grows by pages, and an
// act. Each waits for a new sign-in when the session has ended, and then goes on where it was.

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

/** Performs operations in the mode and session of this moment. */
export type Api = {
  call<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options?: RequestOptions,
  ): Promise<OperationResponse<Id>>;
  /** The raw answer, for files. */
  fetch<Id extends OperationId>(id: Id, input: Input<Id>, options?: RequestOptions): Promise<Response>;
};

/** The API as the person who is signed in may use it. For what the hooks below don't do. */
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

/** What answers are kept under: another company, mode, operation or input is another answer. */
function useKey() {
  const { session, mode } = useSession();
  return (id: OperationId, input: unknown) => [id, session.companyId, mode, input];
}

export type ApiQueryOptions = {
  /** False: it is not asked yet. */
  isWanted?: boolean;
  /** Asks again so often, as long as the page is looked at. */
  everyMs?: number | false;
  /** Shows the answer before while the next one is on its way, as when a filter changes. */
  keepsLast?: boolean;
};

const retryable = (failures: number, fault: unknown) =>
  failures < 2 && !(fault instanceof Error && fault.name === 'ApiProblem');

const isPolled = ({ everyMs }: ApiQueryOptions) => everyMs !== undefined && everyMs !== false;

/** An answer of the API, kept and refreshed: `{ data, error, isPending, refetch, … }` of TanStack Query. */
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
      // What is asked by the clock puts off no end of a session; the first look is a person's.
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

/** A list by pages: `entries` are those of all pages so far, `fetchNextPage` brings more while `hasNextPage`. */
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

/** Whether the API has decided on an act: what it refused was not done, where anything else may have been. */
export const isFinalResponse = (fault: unknown) =>
  fault instanceof ApiProblem &&
  fault.problem.status < 500 &&
  fault.problem.code !== 'idempotency_in_progress';

const isStale = (fault: unknown) =>
  fault instanceof ApiProblem && (fault.problem.status === 409 || fault.problem.status === 412);

/**
 * An act that changes something: `mutate(input)`. The same input sent again after a lost answer carries the same
 * Idempotency-Key, so it is carried out once; sent while it is under way, as by a double press, it is not sent at all.
 * `refreshes` names the operations whose answers it makes old, or which are shown to be old when it is refused.
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
      // The API keeps its answer to a key, refusals too: who asks again after one asks anew.
      if (isFinalResponse(fault)) last.current = null;
      // Refused because things stand otherwise than they were shown.
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
