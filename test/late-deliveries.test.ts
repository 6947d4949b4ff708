// What the answer to a webhook says of its endpoint, when it comes to a worker that has lost its lease: nothing, because
// another makes the delivery now. Each case runs once as the code is, and once more without the check of the lease: then
// the endpoint must be seen to change.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { systemClock } from '../src/base/clock.ts';
import { type Keyring, openKeyring } from '../src/base/keyring.ts';
import type { Database, TenantScope, TenantTx } from '../src/db/database.ts';
import { type ClaimedDelivery, type DeliverDeps, deliver } from '../src/webhooks/deliver.ts';
import { claimDeliveries } from '../src/webhooks/delivery-store.ts';
import { findEndpoint, insertEndpoint, recordEndpointFailure } from '../src/webhooks/endpoint-store.ts';
import { encryptSecret, newSecret } from '../src/webhooks/sign.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';

const endpointId = 'whe_1';
let bare: DatabaseFixture;
let keyring: Keyring;
let receiver: Server;
let url: string;

before(async () => {
  bare = await openDatabaseFixture('server');
  keyring = await openKeyring(randomBytes(32));
  // The address says how it is answered.
  receiver = createServer((request, response) => {
    response.writeHead(Number(request.url?.slice(1))).end();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  receiver.listen(0, '127.0.0.1', resolve);
  await promise;
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
after(async () => {
  receiver.close();
  await bare.stop();
});

/** The database as it would be if settling a delivery always said that the lease still held. */
function withoutLeases(db: Database): Database {
  return {
    ...db,
    inTenant: async (scope, work) =>
      await db.inTenant(scope, async (tx) => {
        const query = async (text: string, values?: readonly unknown[]) => {
          const rows = await tx.query(text, values);
          return text.startsWith('update webhook_deliveries') ? [{ delivery_id: 'any' }] : rows;
        };
        return await work({ ...tx, query: query as TenantTx['query'] });
      }),
  };
}

async function claim(scope: TenantScope): Promise<ClaimedDelivery> {
  return await bare.db.inTenant(scope, async (tx) => {
    const wanted = { endpointId, now: new Date('2100-01-01'), limit: 1, leaseSeconds: 60 };
    const [claimed] = await claimDeliveries(tx, wanted);
    const endpoint = await findEndpoint(tx, endpointId);
    assert.ok(claimed && endpoint, 'there is a delivery to claim');
    return { ...claimed, endpoint, body: '{}' };
  });
}

/** A delivery that one worker has claimed, and another one after the first lease. */
async function claimTwice(status: number, isFailing: boolean) {
  const companyId = await bare.createCompany();
  const scope = { companyId, mode: 'test' } as const;
  const at = new Date();
  await bare.db.inTenant(scope, async (tx) => {
    const secret = encryptSecret(keyring, { companyId, endpointId }, newSecret());
    const endpoint = await insertEndpoint(tx, {
      ...{ endpointId, mode: 'test', url: `${url}/${status}`, events: ['payment.paid'] },
      ...{ description: null, secret, secretId: 'sec_1', createdBy: 'test', createdAt: at },
    });
    if (isFailing) await recordEndpointFailure(tx, endpoint, at);
  });
  await bare.append(companyId, 'payment.paid');
  const first = await claim(scope);
  await bare.db.asOwner.query(
    `update webhook_deliveries set leased_until = clock_timestamp() - interval '1 second' where company_id = $1`,
    [companyId],
  );
  return { scope, first, second: await claim(scope) };
}

const cases = [
  { status: 200, isFailing: true, says: 'that an endpoint works again' },
  { status: 500, isFailing: false, says: 'that an endpoint fails' },
  { status: 410, isFailing: false, says: 'that an endpoint is gone' },
];

for (const { status, isFailing, says } of cases) {
  const run = async (changeDatabase: (db: Database) => Database) => {
    const { scope, first, second } = await claimTwice(status, isFailing);
    const look = async () => {
      const endpoint = await bare.db.inTenant(scope, async (tx) => await findEndpoint(tx, endpointId));
      return { isFailing: endpoint?.failingSince !== null, isEnabled: endpoint?.isEnabled };
    };
    const record = async (parcel: ClaimedDelivery, db: Database) => {
      const deps: DeliverDeps = {
        db,
        clock: systemClock,
        keyring,
        baseUrl: url,
        webhooksAllowLoopback: true,
      };
      assert.equal(await deliver(deps, parcel), status === 200);
      return await look();
    };
    return {
      before: await look(),
      late: await record(first, changeDatabase(bare.db)),
      inTime: await record(second, bare.db),
    };
  };

  test(`who lost its lease does not note ${says}, and who has it does`, async () => {
    const { before, late, inTime } = await run((db) => db);
    assert.deepEqual(before, { isFailing, isEnabled: true });
    assert.deepEqual(late, before);
    assert.deepEqual(inTime, { isFailing: !isFailing, isEnabled: status !== 410 });
  });

  test(`without the check of the lease, who lost it would note ${says}`, async () => {
    const { before, late } = await run(withoutLeases);
    assert.notDeepEqual(late, before);
  });
}
