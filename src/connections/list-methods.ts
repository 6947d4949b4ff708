// Which ways of paying a customer is offered, in the merchant's order. A processor whose circuit is open goes
// to the end: what works is offered first, and nobody is left without a way while there is one.

import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import type { Mode, ProcessorKind, ProcessorRegistry } from '../processors/processor.ts';
import { listConnections, type StoredConnection } from './store.ts';

/** A way to pay: a processor, through one connection of the company. */
export type PaymentMethod = {
  kind: ProcessorKind;
  /** Null for the processor that is built in. */
  connectionId: string | null;
  /** Whether its processor answered when it was last asked. */
  isUp: boolean;
};

/** How a form names a method: the connection, or the processor that is built in. */
export function methodId(method: Pick<PaymentMethod, 'kind' | 'connectionId'>): string {
  return method.connectionId ?? method.kind.name;
}

function isWithin({ amountsMinor }: ProcessorKind, amountMinor: number): boolean {
  return !amountsMinor || (amountMinor >= amountsMinor.least && amountMinor <= amountsMinor.most);
}

/** What somebody wants to pay. */
export type AmountDue = { mode: Mode; currency: Currency; amountMinor: number };

/** The ways to pay with the connections that a company has in the mode. */
function chooseMethods(
  { builtIn, kinds }: ProcessorRegistry,
  stored: readonly StoredConnection[],
  { due: amountDue, now }: { due: AmountDue; now: Date },
): PaymentMethod[] {
  const offered = stored.filter(
    ({ isEnabled, currencies }) => isEnabled && currencies.includes(amountDue.currency),
  );
  const methods: PaymentMethod[] = offered.flatMap(({ processor, connectionId, openUntil }) => {
    // One that a later version brought, and this one does not know, is not offered.
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

/**
 * The ways to pay each of some amounts, in their order. In test mode the processor that is built in stands behind
 * the company's own, unless it has a connection to that, too, which says where it stands or that it is switched off.
 */
export async function listMethods(
  tx: TenantTx,
  processors: ProcessorRegistry,
  { dues: amountsDue, now }: { dues: readonly AmountDue[]; now: Date },
): Promise<PaymentMethod[][]> {
  const stored = new Map<Mode, StoredConnection[]>();
  for (const mode of new Set(amountsDue.map((amountDue) => amountDue.mode)))
    stored.set(mode, await listConnections(tx, mode));
  return amountsDue.map((amountDue) =>
    chooseMethods(processors, stored.get(amountDue.mode) ?? [], { due: amountDue, now }),
  );
}
