// The credentials of calls: a service key or given ones, or those of a login, which is made when first needed and
// renewed before it expires. Must not: expose them. They are in closures, not in properties.

/** The three credentials that a login returns for its later calls. */
export type Credentials = { token: string; apiKey: string; companyId: string };

/** A service key is sent alone. It names its company. */
export type ServiceKeyCredentials = { serviceKey: string; companyId: string };

export type CallCredentials = Credentials | ServiceKeyCredentials;

export type Login = { credentials: Credentials; lifeMs: number };

export type Sessions = {
  /** Credentials that are valid now, as far as known. */
  current(): Promise<CallCredentials>;
  /** Reports that the service refused these. Returns whether new ones are possible. */
  drop(refused: CallCredentials): boolean;
};

const earliestRenewalMs = 60_000;

/** Always the same credentials. */
export function staticCredentials(credentials: CallCredentials): Sessions {
  return { current: async () => credentials, drop: () => false };
}

/**
 * Logs in when needed: at the start, shortly before a token expires, and after a refusal; once for all
 * callers.
 */
export function renewingSessions(logIn: () => Promise<Login>): Sessions {
  let session: { credentials: Credentials; renewAtMs: number } | null = null;
  let underWay: Promise<Credentials> | null = null;
  const renew = async () => {
    try {
      const { credentials, lifeMs } = await logIn();
      session = { credentials, renewAtMs: Date.now() + lifeMs - Math.min(earliestRenewalMs, lifeMs / 10) };
      return credentials;
    } finally {
      underWay = null;
    }
  };
  return {
    current: async () => {
      if (session && Date.now() < session.renewAtMs) return session.credentials;
      underWay ??= renew();
      return await underWay;
    },
    drop: (refused) => {
      // Another caller may have renewed the session meanwhile: keep the new one.
      if (session?.credentials === refused) session = null;
      return true;
    },
  };
}
