// Bugs are planted into moves by changes of the databases. The journeys of move.test.ts must notice each.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import {
  moveUnderLoad,
  moveWithDueWork,
  openStage,
  type Plant,
  type Stage,
  useAfterMove,
  writeDuringFreeze,
} from './move-journeys.ts';

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(async () => {
  await stage?.close();
});

/** `enter_company` without one of its two checks, for the time of a test. */
async function withoutCheck(
  cells: readonly Database[],
  check: RegExp,
  work: () => Promise<void>,
): Promise<void> {
  const [row] =
    (await cells[0]?.asOwner.query<{ text: string }>(
      `select pg_get_functiondef('enter_company(text)'::regprocedure) as text`,
    )) ?? [];
  const right = row?.text ?? '';
  const wrong = right.replace(check, 'if false then');
  assert.notEqual(wrong, right);
  try {
    for (const { asOwner } of cells) await asOwner.query(wrong);
    await work();
  } finally {
    for (const { asOwner } of cells) await asOwner.query(right);
  }
}

const checkOfLock = /if not pg_try_advisory_xact_lock_shared\([^;]*?then/;
const checkOfHome = /if home\.status <> 'home' then/;

/** The source has come far ahead of the target, as an older cell has. */
const leadOfSource: Plant = {
  step: 'subscribed',
  plant: async ({ source }) => {
    await source.asOwner.query(
      'select raise_event_numbers((next_event_number()::text::bigint + 50000000)::text::xid8)',
    );
  },
};

test('events keep their order and none is lost if the source has come far ahead of the target', async () => {
  assert.deepEqual(await moveUnderLoad(stage, await stage.openCompany(), [leadOfSource]), []);
});

test('planted: the numbers of the target are not raised: the feed loses events', async () => {
  const lowered: Plant = {
    step: 'compared',
    plant: async ({ target }) => {
      await target.asOwner.query('update event_numbers set base = 0');
    },
  };
  const company = await stage.openCompany();
  const faults = await moveUnderLoad(stage, company, [leadOfSource, lowered]);
  assert.ok(
    faults.some((fault) => /^the feed lost/.test(fault)),
    faults.join('; '),
  );
});

test('planted: the old cell does not say that the company has gone: a process goes on there', async () => {
  const company = await stage.openCompany();
  await withoutCheck(stage.mover.db.cells(), checkOfHome, async () => {
    assert.notDeepEqual(await useAfterMove(stage, company), []);
  });
});

test('planted: a transaction does not take the lock of its company: its write during the freeze is lost', async () => {
  const company = await stage.openCompany();
  await withoutCheck(stage.mover.db.cells(), checkOfLock, async () => {
    // It begins before the switch, and commits after it.
    assert.deepEqual(await writeDuringFreeze(stage, company), ['a write during the freeze is lost']);
  });
});

test('planted: the target works before the switch: messages are sent twice', async () => {
  const opened: Plant = {
    step: 'checked',
    plant: async ({ target }) => {
      const policies = await target.asOwner.query<{ name: string }>(
        "select tablename::text as name from pg_policies where policyname = 'at_home'",
      );
      assert.ok(policies.length > 5);
      for (const { name } of policies) await target.asOwner.query(`drop policy at_home on ${name}`);
    },
  };
  const company = await stage.openCompany();
  const cell = stage.mover.db.cells().find((each) => each.cell === company.to);
  try {
    const faults = await moveWithDueWork(stage, company, [opened]);
    assert.ok(
      faults.some((fault) => fault.startsWith('before the switch')),
      faults.join('; '),
    );
  } finally {
    await cell?.asOwner.query('select protect_cell()');
  }
});
