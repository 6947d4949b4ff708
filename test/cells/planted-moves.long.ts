// Bugs are planted into moves by changes of the databases. The journeys of move.test.ts and move-under-load.long.ts must notice each.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import type { Paylink } from '../harness/paylink.ts';
import { loopbackSettings } from '../harness/webhook-endpoints.ts';
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

test('planted: the target works before the switch: messages are sent by a cell where the company is not at home', async () => {
  const others: Paylink[] = [];
  const company = await stage.openCompany();
  const { companyId } = company.merchant;
  const opened: Plant = {
    step: 'copied',
    plant: async ({ target }) => {
      await target.asOwner.query(
        "update company_homes set status = 'home', other_cell = null where company = $1",
        [companyId],
      );
      await stage.mover.db.asOwner.query('update company_cells set cell = $2 where company = $1', [
        companyId,
        company.to,
      ]);
      // It remembers no cell yet, so it goes where the directory and the target let it.
      others.push(await stage.rig.start({ settings: loopbackSettings, isSearched: false }));
    },
  };
  try {
    const faults = await moveWithDueWork(stage, company, [opened]);
    assert.ok(
      faults.some((fault) => fault.startsWith('in the target, before the switch')),
      faults.join('; '),
    );
    // The move notices it, too.
    assert.ok(
      faults.some((fault) => fault.includes('has ended this arrival')),
      faults.join('; '),
    );
  } finally {
    for (const other of others) await other.stop();
  }
});
