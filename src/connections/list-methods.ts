// The payment methods of a company, in the merchant's order. Those whose processor has an open circuit breaker are at the
// end: the page offers them only if no other processor is up.

import { activeTestTime } from '../base/clock.ts';
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

export type OfferedMethod = PaymentMethod & {
  /** The merchant's name for the connection. */
  name: string;
  /** What customers can use at the processor, by its brand. */
  offers: readonly string[];
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
  'connectionId' | 'name' | 'processor' | 'currencies' | 'offers' | 'isEnabled' | 'openUntil'
>;

/** The methods for an amount, of the connections in its mode. */
export function chooseMethods(
  { builtIn, kinds }: ProcessorRegistry,
  stored: readonly StoredMethod[],
  { amountDue, now }: { amountDue: AmountDue; now: Date },
): OfferedMethod[] {
  // Another's server would not follow the test clock.
  const isInTestTime = activeTestTime() !== null;
  const offered = stored.filter(
    ({ isEnabled, currencies }) => isEnabled && currencies.includes(amountDue.currency),
  );
  const methods: OfferedMethod[] = offered.flatMap(({ processor, connectionId, name, offers, openUntil }) => {
    // Skip a connection whose processor this version does not know.
    const kind = kinds.find(({ name }) => name === processor);
    if (isInTestTime && !kind?.followsTestClock) return [];
    return kind && isWithin(kind, amountDue.amountMinor)
      ? [{ kind, connectionId, name, offers, isUp: openUntil === null || openUntil <= now }]
      : [];
  });
  if (amountDue.mode === 'test' && !stored.some(({ processor }) => processor === builtIn.name))
    methods.unshift({ kind: builtIn, connectionId: null, name: builtIn.title, offers: [], isUp: true });
  const up = methods.filter(({ isUp }) => isUp);
  return [...up, ...methods.filter(({ isUp }) => !isUp)];
}

/** One list for each amount. In test mode the built-in sandbox is first, unless a connection moves or disables it. */
export async function listMethods(
  tx: TenantTx,
  processors: ProcessorRegistry,
  { amountsDue, now }: { amountsDue: readonly AmountDue[]; now: Date },
): Promise<OfferedMethod[][]> {
  const stored = new Map<Mode, StoredConnection[]>();
  for (const mode of new Set(amountsDue.map((amountDue) => amountDue.mode)))
    stored.set(mode, await listConnections(tx, mode));
  return amountsDue.map((amountDue) =>
    chooseMethods(processors, stored.get(amountDue.mode) ?? [], { amountDue, now }),
  );
}
