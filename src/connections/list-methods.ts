// The payment methods offered to a customer, in the merchant's order. A processor with an open circuit
// breaker moves to the end, but stays available.

import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import type { Mode, ProcessorKind, ProcessorRegistry } from '../processors/processor.ts';
import { listConnections, type StoredConnection } from './store.ts';

/** A method: a processor, through one connection of the company. */
export type PaymentMethod = {
  kind: ProcessorKind;
  /** Null for the built-in processor. */
  connectionId: string | null;
  /** Whether its processor responded to the last call. */
  isUp: boolean;
};

/** The name of a method in a form: the connection, or the built-in processor. */
export function methodId(method: Pick<PaymentMethod, 'kind' | 'connectionId'>): string {
  return method.connectionId ?? method.kind.name;
}

function isWithin({ amountsMinor }: ProcessorKind, amountMinor: number): boolean {
  return !amountsMinor || (amountMinor >= amountsMinor.least && amountMinor <= amountsMinor.most);
}

export type AmountDue = { mode: Mode; currency: Currency; amountMinor: number };

type StoredMethod = Pick<
  StoredConnection,
  'connectionId' | 'processor' | 'currencies' | 'isEnabled' | 'openUntil'
>;

/** The methods for an amount, of the connections in its mode. */
export function chooseMethods(
  { builtIn, kinds }: ProcessorRegistry,
  stored: readonly StoredMethod[],
  { amountDue, now }: { amountDue: AmountDue; now: Date },
): PaymentMethod[] {
  const offered = stored.filter(
    ({ isEnabled, currencies }) => isEnabled && currencies.includes(amountDue.currency),
  );
  const methods: PaymentMethod[] = offered.flatMap(({ processor, connectionId, openUntil }) => {
    // Skip a connection whose processor this version does not know.
    const kind = kinds.find(({ name }) => name === processor);
    return kind && isWithin(kind, amountDue.amountMinor)
      ? [{ kind, connectionId, isUp: openUntil === null || openUntil <= now }]
      : [];
  });
  if (amountDue.mode === 'test' && !stored.some(({ processor }) => processor === builtIn.name))
    methods.push({ kind: builtIn, connectionId: null, isUp: true });
  const up = methods.filter(({ isUp }) => isUp);
  return [...up, ...methods.filter(({ isUp }) => !isUp)];
}

/** One list for each amount. In test mode the built-in sandbox is last, unless a connection sets or disables it. */
export async function listMethods(
  tx: TenantTx,
  processors: ProcessorRegistry,
  { amountsDue, now }: { amountsDue: readonly AmountDue[]; now: Date },
): Promise<PaymentMethod[][]> {
  const stored = new Map<Mode, StoredConnection[]>();
  for (const mode of new Set(amountsDue.map((amountDue) => amountDue.mode)))
    stored.set(mode, await listConnections(tx, mode));
  return amountsDue.map((amountDue) =>
    chooseMethods(processors, stored.get(amountDue.mode) ?? [], { amountDue, now }),
  );
}
