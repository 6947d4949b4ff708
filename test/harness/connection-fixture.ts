// A service with the tests' own processor beside the one that is built in, and the calls about connections that its
// tests make. It must never reach past the API but to look at what is kept.

import assert from 'node:assert/strict';
import { decryptCredentials } from '../../src/connections/open-connection.ts';
import { findConnection, type StoredConnection } from '../../src/connections/store.ts';
import { createProcessors, listProcessors } from '../../src/processors/registry.ts';
import { type Answer, type Credentials, call, type Json, logIn } from './client.ts';
import { type Engine, type Paylink, startPaylink } from './paylink.ts';
import { createStubProcessor, goodCredentials, type StubProcessor } from './stub-processor.ts';

export const connectionsPath = '/v1/processor-connections';
export const orderPath = '/v1/processor-connection-order';

export type ConnectionFixture = {
  paylink: Paylink;
  desk: StubProcessor;
  /** The owner of a company of its own, logged in. */
  openShop(): Promise<Credentials>;
  ask(who: Credentials, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Asks for a connection with the desk, unless the body names another processor. */
  create(who: Credentials, body?: Json): Promise<Answer>;
  /** The same where it has to succeed. */
  connect(who: Credentials, body?: Json): Promise<Json>;
  change(who: Credentials, id: unknown, body: Json): Promise<Answer>;
  listed(who: Credentials): Promise<Json[]>;
  stored(who: Credentials, id: unknown): Promise<StoredConnection | null>;
  /** The credentials that are kept, opened. */
  kept(who: Credentials, id: unknown): Promise<Record<string, string>>;
};

/** Starts the service on an engine. */
export async function startConnectionFixture(
  engine: Engine,
  settings: Record<string, string> = {},
): Promise<ConnectionFixture> {
  const desk = createStubProcessor();
  const paylink = await startPaylink(engine, {
    settings,
    processors: (deps) => listProcessors(createProcessors(deps).builtIn, [desk.kind]),
  });
  const ask: ConnectionFixture['ask'] = async (who, method, path, body) =>
    await call(paylink, who, [method, path], body);
  const create: ConnectionFixture['create'] = async (who, body = {}) =>
    await ask(who, 'POST', connectionsPath, { processor: 'desk', credentials: goodCredentials, ...body });
  const stored: ConnectionFixture['stored'] = async ({ companyId }, id) =>
    await paylink.app.deps.db.inTenant(
      { companyId, mode: 'test' },
      async (tx) => await findConnection(tx, String(id)),
    );
  return {
    paylink,
    desk,
    ask,
    create,
    stored,
    openShop: async () => await logIn(paylink, await paylink.createMerchant()),
    connect: async (who, body) => {
      const answer = await create(who, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    },
    change: async (who, id, body) => await ask(who, 'PATCH', `${connectionsPath}/${id}`, body),
    listed: async (who) => (await ask(who, 'GET', connectionsPath)).body.data as Json[],
    kept: async (who, id) => {
      const row = await stored(who, id);
      assert.ok(row);
      return decryptCredentials(paylink.app.deps.keyring, row);
    },
  };
}

/** Field and code of every fault of a refusal. */
export const faultsOf = ({ body }: Answer) => (body.errors as Json[]).map(({ field, code }) => [field, code]);
