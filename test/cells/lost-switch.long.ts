// The commit that decides a move, without a response: the network loses the request or the answer at that moment. The company
// is whole in exactly one cell, and nothing of it is removed where it may be.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type NetworkFault, openTcpProxy, type TcpProxy } from '../faults/tcp-proxy.ts';
import { createLinkAs, logIn } from '../harness/client.ts';
import type { Paylink } from '../harness/paylink.ts';
import { payWith } from '../harness/visitor.ts';
import { type CellsRig, cellSettings, openCellsRig } from './cells-rig.ts';
import { assertMoved, cellsWithRows, type Mover, openMover, readWhole } from './move-rig.ts';

let rig: CellsRig;
let paylink: Paylink;
let mover: Mover;
let companyId = '';
const proxies = new Map<string, TcpProxy>();

before(async () => {
  // A fault of the source is one of no directory.
  rig = await openCellsRig({ eu1: 'one', eu2: 'two' }, cellSettings, { directoryOn: 'directory' });
  // Without its own work, the rows of the company stay as they are.
  paylink = await rig.start({ isAtWork: false });
  companyId = paylink.merchant.companyId;
  const credentials = await logIn(paylink, paylink.merchant);
  for (let made = 0; made < 5; made += 1)
    await payWith((await createLinkAs(paylink, credentials)).link, { number: '4242424242424242' });
  const settings = rig.settings();
  for (const { name, url } of rig.cells) {
    const { port } = new URL(url);
    const proxy = await openTcpProxy(Number(port));
    rig.cleaner.add(async () => await proxy.close());
    proxies.set(name, proxy);
    settings.DATABASE_URLS = String(settings.DATABASE_URLS).replace(`:${port}/`, `:${proxy.port}/`);
  }
  mover = await openMover(rig, settings);
  // Seals and words are there from the start.
  await mover.move(companyId, await otherCell());
});

after(async () => {
  await paylink?.stop();
  await rig?.close();
});

const homeOf = async () => String((await mover.db.cellOf(companyId)).cell);
const otherCell = async () => ((await homeOf()) === 'eu1' ? 'eu2' : 'eu1');
const proxyOf = (cell: string) => {
  const proxy = proxies.get(cell);
  assert.ok(proxy, cell);
  return proxy;
};

type Loss = Extract<NetworkFault, { kind: 'at-text' }>['loses'];

/**
 * Moves the company, while the network loses the commit of the first switch, and then the source altogether if `isGone`. Returns
 * how the command ended.
 */
async function moveWithout(loses: Loss, { isGone = false } = {}) {
  const [from, to] = [await homeOf(), await otherCell()];
  const proxy = proxyOf(from);
  const gone = Promise.withResolvers<void>();
  const onLost = () => gone.resolve(isGone ? proxy.breakDown({ kind: 'cut' }) : undefined);
  mover.lines.length = 0;
  let compared = 0;
  const ended = await mover
    .move(companyId, to, {
      onStep: async (step) => {
        if (step !== 'compared') return;
        compared += 1;
        if (compared === 1) await proxy.breakDown({ kind: 'at-text', text: 'commit\0', loses, onLost });
      },
    })
    .catch((error: unknown) => error);
  await gone.promise;
  await proxy.heal();
  return { to, ended };
}

const isGivenUp = () => mover.lines.some((line) => line.includes('the switch was given up'));

test('if the commit never arrives, the switch is given up and tried again', async () => {
  const rows = await readWhole(mover, companyId);
  const { to, ended } = await moveWithout('request');
  assert.ok(!(ended instanceof Error), String(ended));
  assert.ok(isGivenUp(), mover.lines.join('\n'));
  await assertMoved(mover, { companyId, to, rows });
});

test('if the response to the commit is lost, the command sees that it has switched, and finishes', async () => {
  const rows = await readWhole(mover, companyId);
  const { to, ended } = await moveWithout('answer');
  assert.ok(!(ended instanceof Error), String(ended));
  assert.ok(!isGivenUp(), mover.lines.join('\n'));
  await assertMoved(mover, { companyId, to, rows });
});

test('if nobody responds after the commit, the command removes nothing and says so; run again, it finishes', async () => {
  const rows = await readWhole(mover, companyId);
  const { to, ended } = await moveWithout('answer', { isGone: true });
  assert.match(String(ended), /it is unknown whether .* is in eu\d or in eu\d\. Run the command again/);
  assert.ok((await cellsWithRows(mover.db, companyId)).includes(to));
  await mover.move(companyId, to);
  await assertMoved(mover, { companyId, to, rows });
});

test('if the connection stays open without a response to the commit, the command does not wait for it, and finishes', async () => {
  const rows = await readWhole(mover, companyId);
  const { to, ended } = await moveWithout('silence');
  assert.ok(!(ended instanceof Error), String(ended));
  await assertMoved(mover, { companyId, to, rows });
});
