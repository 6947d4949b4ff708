// Who is signed in. The session is asked of the service when the page opens; when it ends, calls wait until
// somebody has signed in again, so that nothing that was being written is lost. The cookie itself is out of reach here.

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
  | 'keys:live';

export type SessionState = {
  /** Null when nobody is signed in. */
  session: Session;
  mode: Mode;
  setMode(mode: Mode): void;
  /** Whether one of the account's roles gives the right; what it doesn't give is not offered. */
  may(right: Right): boolean;
  /** True while a session that has ended waits for somebody to sign in again. */
  hasEnded: boolean;
  /**
   * Resolves with a session of the same account, once somebody has signed in again where that is needed. Where somebody
   * else has signed in it never does: what was asked before is not asked by them.
   */
  renew(fault: unknown, sentBy: Session): Promise<Session>;
  /** The session as it is at this moment, for calls that have waited. */
  current(): Session;
  /** Takes over a session that has just been opened, or none. */
  enter(session: Session | null): void;
};

type KnownSession = { session: Session | null | undefined; fault: unknown };

const Context = createContext<SessionState | null>(null);

/** The session; only below `SessionProvider`, where somebody is signed in. */
export function useSession(): SessionState {
  const state = useContext(Context);
  if (!state) throw new Error('nobody is signed in here');
  return state;
}

const codeOf = (fault: unknown) => (fault instanceof ApiProblem ? fault.problem.code : null);

/** Whether a call was refused because nobody is signed in: the browser forgets a cookie that is over, or was signed out. */
const isSessionEnd = (fault: unknown) =>
  ['session_ended', 'missing_credentials'].includes(codeOf(fault) ?? '');

/** Whether the cookie was not the one of the session that the page knows: another tab may have signed in anew. */
const isOtherSession = (fault: unknown) => codeOf(fault) === 'csrf_refused';

/** Whether a call may have been refused for its session alone; then `renew` says what to do. */
export const isOfSession = (fault: unknown) => isSessionEnd(fault) || isOtherSession(fault);

const never = new Promise<never>(() => undefined);

const modeKey = (session: Session) => `mode.${session.companyId}`;

function modeOf(session: Session): Mode {
  const wanted = readStored(modeKey(session)) ?? session.loginMode;
  return wanted === 'live' && session.modes.includes('live') ? 'live' : 'test';
}

/** Asks the service who is signed in. */
function useKnownSession() {
  const [known, setKnown] = useState<KnownSession>({ session: undefined, fault: null });
  const look = useCallback(async () => {
    setKnown({ session: undefined, fault: null });
    try {
      const { session } = await call('getSession', {});
      setKnown({ session, fault: null });
    } catch (fault) {
      setKnown({ session: undefined, fault });
    }
  }, []);
  useEffect(() => void look(), [look]);
  return { known, look, setKnown };
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

export type SessionProviderProps = {
  children: ComponentChildren;
  /** Shown until the service has said who is signed in. */
  waiting: ComponentChildren;
  /** Shown when it could not be asked. */
  failed(fault: unknown, retry: () => void): ComponentChildren;
  /** Shown when nobody is signed in. */
  signIn(enter: (session: Session) => void): ComponentChildren;
};

/** Gives everything below it the session, and shows something else while there is none. */
export function SessionProvider({ children, waiting, failed, signIn }: SessionProviderProps) {
  const { known, look, setKnown } = useKnownSession();
  const { hasEnded, wait, settle } = useRenewal();
  const client = useQueryClient();
  const [mode, setModeState] = useState<Mode | null>(null);
  const latest = useRef<Session | null>(null);
  const { session } = known;
  latest.current = session ?? null;
  const enter = useCallback(
    (next: Session | null) => {
      const before = latest.current;
      // Somebody else has signed in: nothing that is shown is theirs, and what waits must not be sent as theirs.
      if (before && next && before.accountId !== next.accountId) return location.assign('/dashboard');
      if (!next) {
        client.clear();
        setModeState(null);
      }
      latest.current = next;
      setKnown({ session: next, fault: null });
      settle(next);
      // Nobody has followed what happened while there was no session.
      if (next && before?.sessionId !== next.sessionId) void client.invalidateQueries();
    },
    [client, setKnown, settle],
  );
  const current = useCallback(() => {
    if (!latest.current) throw new Error('nobody is signed in here');
    return latest.current;
  }, []);
  const renew = useCallback(
    async (fault: unknown, sentBy: Session): Promise<Session> => {
      // A late answer to a call of the session before.
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
  const state = useMemo<SessionState | null>(() => {
    if (!session) return null;
    return {
      ...{ session, hasEnded, renew, enter, current },
      mode: mode && session.modes.includes(mode) ? mode : modeOf(session),
      setMode: (next) => {
        writeStored(modeKey(session), next);
        setModeState(next);
      },
      may: (right) => session.rights.includes(right),
    };
  }, [session, hasEnded, mode, renew, enter, current]);
  if (known.fault) return <>{failed(known.fault, () => void look())}</>;
  if (session === undefined) return <>{waiting}</>;
  if (!state) return <>{signIn(enter)}</>;
  return <Context.Provider value={state}>{children}</Context.Provider>;
}
