// All statements on the table of links. A link changes its state only by a guarded update, so of several requests at once
// one does it, and the others see that it is done.

import type { ID, RequestContext, TransactionalConnection } from '@vendure/core';
import { type LinkState, PaylinkLink } from './link-entity.ts';

type Connection = TransactionalConnection;

const linksIn = (connection: Connection, ctx: RequestContext) => connection.getRepository(ctx, PaylinkLink);

/** Stores a link, if it is not stored. */
export async function addLink(
  connection: Connection,
  ctx: RequestContext,
  code: string,
  orderId: ID,
): Promise<void> {
  const values = { code, orderId, state: 'open' as const };
  await linksIn(connection, ctx).createQueryBuilder().insert().values(values).orIgnore().execute();
}

/** Whether this transaction is the one that changes the state. Waits for another that is changing it. */
export async function moveLink(
  connection: Connection,
  ctx: RequestContext,
  code: string,
  { from, to }: { from: LinkState; to: LinkState },
): Promise<boolean> {
  const { affected } = await linksIn(connection, ctx).update({ code, state: from }, { state: to });
  return affected === 1;
}

export async function findLink(
  connection: Connection,
  ctx: RequestContext,
  code: string,
): Promise<PaylinkLink | null> {
  return await linksIn(connection, ctx).findOneBy({ code });
}

export async function listLinks(
  connection: Connection,
  ctx: RequestContext,
  orderId: ID,
  state: LinkState,
): Promise<PaylinkLink[]> {
  return await linksIn(connection, ctx).findBy({ orderId, state });
}

/** Counts a refund, and keeps other refunds of the link waiting until the transaction ends. Returns the new count. */
export async function countRefund(
  connection: Connection,
  ctx: RequestContext,
  code: string,
): Promise<number> {
  await linksIn(connection, ctx).increment({ code }, 'refundCount', 1);
  return (await linksIn(connection, ctx).findOneByOrFail({ code })).refundCount;
}

/** Keeps other transactions that change the link waiting until this one ends. */
export async function lockLink(connection: Connection, ctx: RequestContext, code: string): Promise<void> {
  await linksIn(connection, ctx).increment({ code }, 'refundCount', 0);
}
