// The current session. The page queries it from the service when it opens. When it ends, calls wait for a new sign-in,
// so that no form input is lost. Scripts can't read the cookie itself.

import { useQueryClient } from '@tanstack/preact-query';
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { readStored, writeStored } from '../base/storage.ts';
import { ApiProblem, call, type Mode, type OperationResponse } from './call.ts';

export type Session = NonNullable<OperationResponse<'getSession'>['session']>;
export type Right =
  | `payments:${'create' | 'read' | 'update' | 'cancel' | 'refund'}`
  | `${'bank' | 'webhooks' | 'processors' | 'keys' | 'members' | 'company'}:${'read' | 'manage'}`
  | 'events:read'
  | 'balances:read'
  | 'exports:read'
  | 'audit:read'
  | 'requests:read'
  // No role gives it: the settings of the service name the accounts of operators.
  | 'operator'
  | 'keys:live';

type SessionState = {
  /** Null without a signed-in person. */
  session: Session;
  mode: Mode;
  setMode(mode: Mode): void;
  /** Whether one of the account's roles, or the settings of the service, give the right. Actions without the right are not offered. */
  may(right: Right): boolean;
  /** True while an ended session waits for a new sign-in. */
  hasEnded: boolean;
  /**
   * Resolves with a session of the same account, after a new sign-in if needed. If another account has signed in, it
   * never resolves: its session must not send the earlier calls.
   */
  renew(fault: unknown, sentBy: Session): Promise<Session>;
  current(): Session;
  /** Sets a session that was just opened, or none. */
  enter(session: Session | null): void;
};

type KnownSession = { session: Session | null | undefined; fault: unknown };

const Context = createContext<SessionState | null>(null);

export function useSession(): SessionState {
  const state = useContext(Context);
  if (!state) throw new Error('no session: nobody is signed in');
  return state;
}

/** Whether the person has a right, where there may be no session. */
export const useMay = (right: Right): boolean => useContext(Context)?.may(right) ?? false;

const codeOf = (fault: unknown) => (fault instanceof ApiProblem ? fault.problem.code : null);

/**
 * Whether a call was refused because nobody is signed in: the browser deletes a cookie that expired or was signed out.
 */
const isSessionEnd = (fault: unknown) =>
  ['session_ended', 'missing_credentials'].includes(codeOf(fault) ?? '');

/** Whether the cookie belongs to another session than the page's: another tab may have signed in again. */
const isOtherSession = (fault: unknown) => codeOf(fault) === 'csrf_refused';

/** Whether a call may have been refused because of its session alone. Then `renew` decides. */
export const isOfSession = (fault: unknown) => isSessionEnd(fault) || isOtherSession(fault);

const never = new Promise<never>(() => undefined);

const modeKey = (session: Session) => `mode.${session.companyId}`;

function modeOf(session: Session): Mode {
  const wanted = readStored(modeKey(session)) ?? session.loginMode;
  return wanted === 'live' && session.modes.includes('live') ? 'live' : 'test';
}

/** The mode in the link that opened the page. It is removed from the address, so that another one can be chosen. */
function takeLinkedMode(): Mode | null {
  const url = new URL(location.href);
  const linked = url.searchParams.get('mode');
  if (linked === null) return null;
  url.searchParams.delete('mode');
  history.replaceState(history.state, '', url);
  return linked === 'live' || linked === 'test' ? linked : null;
}

function useKnownSession() {
  const [known, setKnown] = useState<KnownSession>({ session: undefined, fault: null });
  const load = useCallback(async () => {
    setKnown({ session: undefined, fault: null });
    try {
      const { session } = await call('getSession', {});
      setKnown({ session, fault: null });
    } catch (fault) {
      setKnown({ session: undefined, fault });
    }
  }, []);
  useEffect(() => void load(), [load]);
  return { known, load, setKnown };
}

type PendingSignIn = { promise: Promise<Session>; resolve(session: Session): void };

/** The promise that calls wait on between the end of a session and the next sign-in. */
function useRenewal() {
  const waiting = useRef<PendingSignIn | null>(null);
  const [hasEnded, setHasEnded] = useState(false);
  const wait = useCallback(() => {
    if (!waiting.current) {
      waiting.current = Promise.withResolvers<Session>();
      setHasEnded(true);
    }
    return waiting.current.promise;
  }, []);
  const settle = useCallback((session: Session | null) => {
    setHasEnded(false);
    if (session) waiting.current?.resolve(session);
    waiting.current = null;
  }, []);
  return { hasEnded, wait, settle };
}

type SessionProviderProps = {
  children: ComponentChildren;
  waiting: ComponentChildren;
  failed(fault: unknown, retry: () => void): ComponentChildren;
  signIn(enter: (session: Session) => void): ComponentChildren;
};

/** Provides the session to its children, and shows something else while there is none. */
export function SessionProvider({ children, waiting, failed, signIn }: SessionProviderProps) {
  const { known, load, setKnown } = useKnownSession();
  const { hasEnded, wait, settle } = useRenewal();
  const client = useQueryClient();
  const [mode, setModeState] = useState<Mode | null>(takeLinkedMode);
  const latest = useRef<Session | null>(null);
  const { session } = known;
  latest.current = session ?? null;
  const enter = useCallback(
    (next: Session | null) => {
      const before = latest.current;
      // Another account has signed in: the shown data is not theirs, and waiting calls must not be sent in their name.
      if (before && next && before.accountId !== next.accountId) return location.assign('/dashboard');
      if (!next) {
        client.clear();
        setModeState(null);
      }
      latest.current = next;
      setKnown({ session: next, fault: null });
      settle(next);
      // The feed was not followed while there was no session.
      if (next && before?.sessionId !== next.sessionId) void client.invalidateQueries();
    },
    [client, setKnown, settle],
  );
  const current = useCallback(() => {
    if (!latest.current) throw new Error('no session: nobody is signed in');
    return latest.current;
  }, []);
  const renew = useCallback(
    async (fault: unknown, sentBy: Session): Promise<Session> => {
      // A late response to a call of the previous session.
      if (latest.current && latest.current.csrfToken !== sentBy.csrfToken) return latest.current;
      if (isSessionEnd(fault)) return await wait();
      const { session: now } = await call('getSession', {}, { isBackground: true });
      if (!now) return await wait();
      if (now.csrfToken === sentBy.csrfToken) throw fault;
      enter(now);
      return now.accountId === sentBy.accountId ? now : await never;
    },
    [enter, wait],
  );
  // A linked mode stays chosen after a reload, as if the person had chosen it.
  useEffect(() => {
    if (session && mode && session.modes.includes(mode)) writeStored(modeKey(session), mode);
  }, [session, mode]);
  const state = useMemo<SessionState | null>(() => {
    if (!session) return null;
    return {
      ...{ session, hasEnded, renew, enter, current },
      mode: mode && session.modes.includes(mode) ? mode : modeOf(session),
      setMode: setModeState,
      may: (right) => (right === 'operator' ? session.isOperator : session.rights.includes(right)),
    };
  }, [session, hasEnded, mode, renew, enter, current]);
  if (known.fault) return <>{failed(known.fault, () => void load())}</>;
  if (session === undefined) return <>{waiting}</>;
  if (!state) return <>{signIn(enter)}</>;
  return <Context.Provider value={state}>{children}</Context.Provider>;
}
