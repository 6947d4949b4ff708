// How many statements PostgreSQL executes for one payment by card, from the form to the written email.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import pg from 'pg';
import { startCluster } from '../scripts/cluster.mjs';
import { createLinkAs, logIn } from './harness/client.ts';
import { createFromTemplate } from './harness/database-templates.ts';
import { startPaylink } from './harness/paylink.ts';
import { postgresBin } from './harness/services.ts';
import { fillCard, visit } from './harness/visitor.ts';
import { createTestEndpoint, loopbackSettings } from './harness/webhook-endpoints.ts';

const settings = ['fsync=off', 'shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track=top'];

/**
 * The most statements of a payment: everything that PostgreSQL executes, begin and commit included. Two of them are for the
 * second email, whose result is recorded alone if the first one was faster.
 */
const mostStatements = 20;

test(`a payment takes at most ${mostStatements} statements, from the form to the redirect, the delivery and the written email`, async () => {
  const cluster = await startCluster(postgresBin(), settings);
  const { url } = await createFromTemplate(cluster.url);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query('create extension pg_stat_statements');
  const address = new URL(url);
  const role = `paylink_${randomBytes(4).toString('hex')}`;
  // safe: the names are ours.
  await admin.query(`create role ${role} login superuser`);
  await admin.query(`alter database ${address.pathname.slice(1)} owner to ${role}`);
  address.username = role;
  const paylink = await startPaylink('server', {
    // The log of requests writes later, about the call that created the link.
    settings: { ...loopbackSettings, DATABASE_URL: address.href, REQUEST_LOG_DAYS: '0' },
    isAtWork: false,
    isSearched: false,
  });
  try {
    const owner = await logIn(paylink);
    // Nothing listens there: the delivery waits.
    await createTestEndpoint(paylink, owner, { url: 'http://127.0.0.1:1029/' });
    const pay = async () => {
      const { link } = await createLinkAs(paylink, owner);
      const page = await visit(link);
      await admin.query('select pg_stat_statements_reset()');
      const { action, body } = fillCard(page, { number: '4242424242424242' });
      const answer = await fetch(action, { method: 'POST', body, redirect: 'manual' });
      assert.equal(answer.status, 303);
      await paylink.app.work.sweep('emails');
      const { rows } = await admin.query<{ text: string; calls: number }>(
        `select query as text, calls::int from pg_stat_statements
         where userid = (select oid from pg_roles where rolname = $1)
            or userid in (select oid from pg_roles where rolname like 'paylink_%') order by query`,
        [role],
      );
      return rows;
    };
    // The first payment fills the caches: plans, connections, keys.
    await pay();
    const executed = await pay();
    const count = executed.reduce((sum, { calls }) => sum + calls, 0);
    const listed = executed.map(
      ({ text, calls }) => `${calls} × ${text.replaceAll(/\s+/g, ' ').slice(0, 150)}`,
    );
    assert.ok(count <= mostStatements, `${count} statements:\n${listed.join('\n')}`);
    const [made] = (
      await admin.query(
        `select (select count(*)::int from mails where state = 'sent') as emails,
                (select count(*)::int from webhook_deliveries where state = 'pending') as deliveries`,
      )
    ).rows;
    assert.ok(made.emails >= 2 && made.deliveries >= 2, JSON.stringify(made));
  } finally {
    await paylink.stop();
    await admin.end();
    await cluster.stop();
  }
});
