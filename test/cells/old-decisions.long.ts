// A company moves on while the decision of its move before is still in its first cell, because that move was killed before its end.
// The old decision is not taken for the one that counts.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findCompany } from '../../src/cell-moves/find-company.ts';
import { verifyCells } from '../../src/cell-moves/verify-cells.ts';
import { updateWeight } from '../../src/cells/directory-store.ts';
import { createLinkAs, logIn } from '../harness/client.ts';
import { payWith } from '../harness/visitor.ts';
import { openCellsRig } from './cells-rig.ts';
import { assertMoved, openMover, readWhole, runMoveProcess } from './move-rig.ts';

const rig = await openCellsRig({ eu1: 'one', eu2: 'two', eu3: 'two' });
after(async () => await rig.close());

test('a company that moved on before an earlier move was cleaned up is finished where it went last, also after a fail-over in between', async () => {
  for (const cell of ['eu2', 'eu3']) await updateWeight((await rig.openRaw('eu1')).asOwner, cell, 0);
  const paylink = await rig.start({ isAtWork: false });
  rig.cleaner.add(async () => await paylink.stop());
  const { companyId } = paylink.merchant;
  const credentials = await logIn(paylink, paylink.merchant);
  await payWith((await createLinkAs(paylink, credentials)).link, { number: '4242424242424242' });
  const mover = await openMover(rig);
  assert.equal(await runMoveProcess(rig, { companyId, to: 'eu2', killedAt: 'worked' }), 'SIGKILL');
  // As if a standby had replaced the server of eu2 since, with everything.
  const { asOwner } = await rig.openRaw('eu1');
  const changed = await asOwner.query(
    `update company_homes set other_timeline = 'earlier' where company = $1 and other_timeline is not null returning company`,
    [companyId],
  );
  assert.equal(changed.length, 1);
  const later = await createLinkAs(paylink, credentials);
  // Seals and words are there before the move.
  await mover.deps.work(mover.db, companyId);
  const rows = await readWhole(mover, companyId);
  assert.equal(await runMoveProcess(rig, { companyId, to: 'eu3', killedAt: 'switched' }), 'SIGKILL');
  const { home, unfinished, lost } = await findCompany(mover.db, companyId);
  assert.deepEqual([home, unfinished?.to.name, lost], [null, 'eu3', null]);
  const [finding] = (await verifyCells(mover.db, companyId)).findings;
  assert.match(String(finding?.sentence), /Finish it: paylink admin cells move co_\w+ eu3/);
  await mover.move(companyId, 'eu3');
  await assertMoved(mover, { companyId, to: 'eu3', rows });
  assert.ok(rows.payments?.some((row) => row.includes(later.code)));
});
