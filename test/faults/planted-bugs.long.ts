// Proves that the oracle detects the classic bugs: each is planted around the real service, and the oracle must report
// its effects. docs/faults.md lists them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JournalLine } from '../acquirer/journal.ts';
import { cardOf, type Script } from '../acquirer/scripts.ts';
import { fillCard, visit } from '../harness/visitor.ts';
import { type FaultRig, type Link, openFaultRig } from './fault-rig.ts';
import type { PlantedBug } from './planted-bugs.ts';
import { awaitDeath } from './processes.ts';

// Timeouts of the service's requests to the acquirer: the usual one for bugs that need a timeout, a long one for others,
// so that a busy machine causes none.
const usual = { processorTimeoutMs: 600 };
const patient = { processorTimeoutMs: 20_000 };
/** For a bug that appears only after the acquirer has responded. */
const unhurried = { processorTimeoutMs: 100_000 };
/** For bugs without faults in the end: everything must settle. */
const whole = { settleMs: 60_000 };

/** Plays a scene on a service with a bug, and returns the oracle's faults and the number of charges. */
async function findFaultsOf(
  plantedBug: PlantedBug,
  scene: (rig: FaultRig, link: Link) => Promise<unknown>,
  options: { crashAt?: string; processorTimeoutMs?: number; settleMs?: number } = {},
): Promise<{ faults: string; charges: number }> {
  const { settleMs = 3_000, ...start } = { ...patient, ...options };
  const rig = await openFaultRig();
  try {
    const service = await rig.start({ plantedBug, ...start });
    const link = await rig.createLink(await rig.logIn());
    await scene(rig, link).catch(() => undefined);
    if (options.crashAt) {
      await awaitDeath(service);
      await rig.start();
    }
    // A bug may leave an attempt that never settles; the oracle checks the records anyway.
    await rig.settle(settleMs).catch(() => undefined);
    const charges = rig
      .acquirerJournal()
      .filter((line) => line.type === 'charge' && line.state === 'charged').length;
    return { faults: (await rig.findFaults()).join('\n'), charges };
  } finally {
    await rig.close();
  }
}

/** Submits the same form from ten tabs at once. */
async function payInTenTabs(link: Link): Promise<void> {
  const { action, body } = fillCard(await visit(link.link), { number: cardOf('approve') });
  await Promise.allSettled(
    Array.from({ length: 10 }, async () => await fetch(action, { method: 'POST', body, redirect: 'manual' })),
  );
}

/**
 * Plays a scene on new links until one has `wanted` charges: on a busy machine a bug with a short timeout may give up
 * before the acquirer has read the request.
 */
async function playUntilCharged(
  rig: FaultRig,
  wanted: number,
  scene: (link: Link) => Promise<unknown>,
): Promise<void> {
  for (let links = 0; links < 5; links++) {
    const link = await rig.createLink(await rig.logIn());
    await scene(link);
    const isCharge = (line: JournalLine) =>
      line.type === 'charge' && line.state === 'charged' && line.about.includes(link.code);
    if (rig.acquirerJournal().filter(isCharge).length >= wanted) return;
  }
}

const payWith = (script: Script) => async (rig: FaultRig, link: Link) => await rig.pay(link, script);

// Each scene has its own rig, so scenes can run concurrently.
describe('the oracle', { concurrency: 3 }, () => {
  test('a new key for each retry is detected: charges without an attempt, and one link captured twice', async () => {
    const scene = async (rig: FaultRig) =>
      await playUntilCharged(rig, 2, async (link) => await rig.pay(link, 'timeout_after'));
    const { faults } = await findFaultsOf('new_key_per_retry', scene, usual);
    assert.match(faults, /was made under a key that no attempt has/);
    assert.match(faults, /link \S+ was captured 2 times/);
    assert.match(faults, /order \S+ was captured 2 times/);
  });

  test('a timeout treated as a decline is detected: a second charge, and an overpayment without a refund', async () => {
    const scene = async (rig: FaultRig) =>
      await playUntilCharged(rig, 2, async (link) => {
        await rig.pay(link, 'timeout_after');
        await rig.pay(link, 'approve');
      });
    const { faults } = await findFaultsOf('timeout_as_decline', scene, usual);
    assert.match(faults, /link \S+ was captured 2 times/);
    assert.match(faults, /though its attempt is declined: an overpayment was not refunded/);
    assert.match(faults, /the ledger says that the acquirer owes/);
  });

  test('an unchecked amount is detected: paid with another amount than requested', async () => {
    const { faults } = await findFaultsOf('trusted_amount', payWith('wrong_amount'));
    assert.match(faults, /asks for 1999 EUR and 2000 EUR was captured/);
  });

  test('old reports applied after the end are detected: a paid payment with an attempt that is not', async () => {
    // The acquirer responds only after its report was accepted.
    const { faults } = await findFaultsOf('stale_news_applied', payWith('out_of_order'), unhurried);
    assert.match(faults, /was kept though its attempt is processing/);
    assert.match(faults, /att_\S+ is processing, and its \d events do not lead there/);
    assert.match(faults, /ledger of \S+: /);
  });

  test('an event written after the commit is detected when the process dies in between', async () => {
    const { faults } = await findFaultsOf('event_after_commit', payWith('approve'), {
      crashAt: 'after_record_commit',
    });
    assert.match(faults, /pay_\S+ is paid, and its \d events do not lead there: one is missing or doubled/);
  });

  test('without the row lock the unique index limits ten tabs to one charge', async () => {
    const found = await findFaultsOf('no_lock', async (_, link) => await payInTenTabs(link), whole);
    assert.deepEqual(found, { faults: '', charges: 1 });
  });

  test('without the unique index the row lock limits ten tabs to one charge', async () => {
    // Drops the index and the clause that names it, and keeps the lock.
    const scene = async (rig: FaultRig, link: Link) => {
      await rig.db.asOwner.query('drop index attempts_one_live_per_payment');
      await payInTenTabs(link);
    };
    const found = await findFaultsOf('no_index', scene, whole);
    assert.deepEqual(found, { faults: '', charges: 1 });
  });

  test('check-then-act without both is detected: one link captured many times', async () => {
    const { faults } = await findFaultsOf('check_then_act', async (rig, link) => {
      await rig.db.asOwner.query('drop index attempts_one_live_per_payment');
      await payInTenTabs(link);
    });
    assert.match(faults, /link \S+ was captured \d+ times/);
    assert.match(faults, /order \S+ was captured \d+ times/);
  });

  test('a deleted, a duplicated and a changed event are each detected', async () => {
    const rig = await openFaultRig();
    try {
      await rig.start();
      const link = await rig.createLink(await rig.logIn());
      assert.equal(await rig.payWell(link), 'paid');
      assert.deepEqual(await rig.findFaults(), []);
      const pick = "type = 'payment.paid'";
      // Delete the rows with foreign keys to events first.
      for (const table of ['webhook_deliveries', 'mails']) await rig.db.asOwner.query(`delete from ${table}`);
      await rig.db.asOwner.query(`create table kept as select * from events where ${pick}`);
      await rig.db.asOwner.query(`delete from events where ${pick}`);
      assert.match((await rig.findFaults()).join('\n'), /one is missing or doubled/);
      await rig.db.asOwner.query('insert into events select * from kept');
      assert.deepEqual(await rig.findFaults(), []);
      await rig.db.asOwner.query("update kept set event_id = event_id || 'x'");
      await rig.db.asOwner.query('insert into events select * from kept');
      assert.match(
        (await rig.findFaults()).join('\n'),
        /one is missing or doubled[\s\S]*recorded one version twice/,
      );
    } finally {
      await rig.close();
    }
  });
});
