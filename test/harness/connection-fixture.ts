// A service with a scripted processor besides the sandbox, and calls of the connection routes.

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
  stubProcessor: StubProcessor;
  openShop(): Promise<Credentials>;
  ask(who: Credentials, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Creates a connection with the scripted processor, unless the body names another. */
  create(who: Credentials, body?: Json): Promise<Answer>;
  connect(who: Credentials, body?: Json): Promise<Json>;
  change(who: Credentials, id: unknown, body: Json): Promise<Answer>;
  listed(who: Credentials): Promise<Json[]>;
  stored(who: Credentials, id: unknown): Promise<StoredConnection | null>;
  /** The stored credentials, decrypted. */
  kept(who: Credentials, id: unknown): Promise<Record<string, string>>;
};

/** Starts the service on an engine. */
export async function startConnectionFixture(
  engine: Engine,
  settings: Record<string, string> = {},
): Promise<ConnectionFixture> {
  const stubProcessor = createStubProcessor();
  const paylink = await startPaylink(engine, {
    settings,
    processors: (deps) => listProcessors(createProcessors(deps).builtIn, [stubProcessor.kind]),
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
    stubProcessor,
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

export const faultsOf = ({ body }: Answer) => (body.errors as Json[]).map(({ field, code }) => [field, code]);
