// The credentials of the calls: those that were given, or those of a login that is made when first needed
// and made anew before it ends. It must never show them: they live in closures, not in properties.

/** The three values that every call but the login carries. */
export type Credentials = { token: string; apiKey: string; companyId: string };

export type Login = { credentials: Credentials; lifeMs: number };

export type Sessions = {
  /** Credentials that are good for now, as far as can be known. */
  current(): Promise<Credentials>;
  /** Says that the service refused these. Answers whether there will be others. */
  drop(refused: Credentials): boolean;
};

const earliestRenewalMs = 60_000;

/** Always the same credentials. */
export function staticCredentials(credentials: Credentials): Sessions {
  return { current: async () => credentials, drop: () => false };
}

/** Logs in when needed: at the start, shortly before a token ends, and after a refusal; once for all callers. */
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
      // Another caller may have renewed it meanwhile: the new one stays.
      if (session?.credentials === refused) session = null;
      return true;
    },
  };
}
