// Patroni with etcd promotes the standby: twice because the primary's machine is lost, and twice because an operator asks
// for it. failover.long.ts is the short form, in which the test promotes.

import { test } from 'node:test';
import { until } from '../harness/process.ts';
import { runSql } from '../harness/run-sql.ts';
import { loseUnderLoad, openFleet } from './fleet.ts';
import { answers, type PatroniCluster, type PatroniMember, startPatroni } from './patroni.ts';

/** Waits until a server is promoted. Returns when that was noticed. */
async function awaitPromotion({ port }: PatroniMember): Promise<number> {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await until(async () => {
    const [row] = await runSql(url, 'select pg_is_in_recovery() as "isStandby"').catch(() => []);
    return row?.isStandby === false;
  }, 'the standby to be promoted');
  return performance.now();
}

/** The primary's machine is lost; the last one that was lost has returned before. */
function loseMachines(cluster: PatroniCluster) {
  let lost: PatroniMember | null = null;
  return async () => {
    if (lost) await cluster.returnMember(lost);
    const { primary, standby } = await cluster.roles();
    lost = primary;
    const lostAt = performance.now();
    await cluster.lose(primary);
    return { lostAt, promotedAt: await awaitPromotion(standby) };
  };
}

/** The operator makes the standby the primary; the last primary has become a standby before. */
function switchOver(cluster: PatroniCluster) {
  return async () => {
    const { primary, standby } = await cluster.roles();
    await until(async () => await answers(standby, '/synchronous'), 'the standby to follow');
    const lostAt = performance.now();
    const asked = fetch(`http://127.0.0.1:${primary.checkPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: primary.name, candidate: standby.name }),
    });
    // Patroni answers after the change, or with the reason why there is none.
    const refused = asked.then(async (answer) => {
      if (!answer.ok) throw new Error(`Patroni refused: ${await answer.text()}`);
      return await new Promise<never>(() => undefined);
    });
    return { lostAt, promotedAt: await Promise.race([awaitPromotion(standby), refused]) };
  };
}

const cases = [
  { what: 'loses the machine of the primary, twice', lose: loseMachines },
  { what: 'switches over, twice', lose: switchOver },
];

for (const { what, lose } of cases)
  test(`Patroni ${what}, under load: writes resume within 5 s of the promotion, and callers see nothing but 503 with Retry-After`, async (t) => {
    const cluster = await startPatroni();
    const fleet = await openFleet(cluster.members).catch(async (error) => {
      await cluster.close();
      throw error;
    });
    try {
      await loseUnderLoad(t, fleet, { lose: lose(cluster), losses: 2, customers: 8, resumeLimitMs: 5_000 });
    } finally {
      await fleet.close();
      await cluster.close();
    }
  });
