// What transactions did, for whoever counts it: each fact is reported once, after the commit of its transaction. A
// transaction that was rolled back, or is run again after a conflict, reports nothing of its earlier runs. Must not:
// contain anything that identifies a company, a payment or a person.

type Mode = 'test' | 'live';

export type CommittedFact =
  /** A payment reached a status; `open` only when it was created. */
  | { kind: 'payment'; status: string }
  /** An attempt reached an outcome, which may still follow an unknown one. */
  | { kind: 'attempt'; processor: string; outcome: string; declineCode: string | null }
  | { kind: 'refund'; processor: string; outcome: string }
  /** `failed`: it is sent again; `dead`: it is not. */
  | { kind: 'delivery'; result: 'delivered' | 'failed' | 'dead' }
  | { kind: 'email'; about: string; result: 'sent' | 'retried' | 'failed' | 'dropped' };

/** The mode is that of the transaction. */
export type CommittedFactListener = (fact: CommittedFact, mode: Mode | null) => void;

/** Collects the facts of one run of a transaction. Without listeners it keeps nothing. */
export function collectFacts(listeners: readonly CommittedFactListener[], mode: Mode | null) {
  const facts: CommittedFact[] = [];
  return {
    note: (fact: CommittedFact) => {
      if (listeners.length > 0) facts.push(fact);
    },
    report: () => {
      for (const fact of facts) for (const listener of listeners) listener(fact, mode);
    },
  };
}
