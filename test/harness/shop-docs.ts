// Follows docs/shop.md as a reader does: creates the keys, starts a shop, and buys in it. Only the addresses, the account and
// the password are replaced.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { call, type Json, logIn } from './client.ts';
import { blocksOf, read, sectionOf } from './documents.ts';
import { freePort, type Paylink, password } from './paylink.ts';
import { commandPath, root, until } from './process.ts';
import { payWith } from './visitor.ts';
import { endpointsPath, listDeliveries } from './webhook-endpoints.ts';

const exec = promisify(execFile);
const page = read('docs/shop.md');

export type ShopReader = {
  /** The folder of the shop, `~/paylink-shop` of the page. */
  folder: string;
  /** The blocks of a chapter, with the reader's own values. */
  blocks(heading: string, language: string): string[];
  /** Runs a block in the clone of the repository, and returns its output. */
  run(block: string, cwd?: string): Promise<string>;
  /** Starts the shop of a chapter, buys, and compares what the shop does with what the page says. */
  buy(start: string): Promise<void>;
  remove(): Promise<void>;
};

/** A reader with a clone, who has created the keys of the shop. `env` are variables of the reader's machine. */
export async function openShopReader(
  paylink: Paylink,
  env: Record<string, string> = {},
): Promise<ShopReader> {
  const home = await mkdtemp(path.join(tmpdir(), 'paylink-shop-docs-'));
  const clone = path.join(home, 'paylink');
  await mkdir(clone);
  for (const name of ['sdk', 'sdk-python'])
    await cp(path.join(root, name), path.join(clone, name), {
      recursive: true,
      filter: (source) => source !== path.join(root, 'sdk', 'dist'),
    });
  await symlink(path.join(root, 'node_modules'), path.join(clone, 'node_modules'));
  const shopUrl = `http://127.0.0.1:${await freePort()}`;
  const own = (block: string) =>
    block
      .replaceAll('http://localhost:3000', paylink.baseUrl)
      .replaceAll('http://127.0.0.1:3001', shopUrl)
      .replaceAll('owner@example.com', paylink.merchant.email)
      .replaceAll('the password that the first start printed', password);
  const blocks = (heading: string, language: string) => blocksOf(sectionOf(page, heading), language).map(own);
  // npm needs no network: everything that it packs and installs is in the folder.
  const machine = { PATH: commandPath(), HOME: home, TMPDIR: home, npm_config_offline: 'true', ...env };
  const run = async (block: string, cwd = clone) =>
    (await exec('sh', ['-ec', block], { cwd, env: machine })).stdout;
  const reader = {
    folder: path.join(home, 'paylink-shop'),
    blocks,
    run,
    remove: async () => await rm(home, { recursive: true, force: true }),
  };
  const [keys = ''] = blocks('## Give the shop its keys', 'sh');
  for (const line of (await run(keys)).trim().split('\n')) assert.match(line, /^export \w+=\S{8,}$/);
  return { ...reader, buy: async (start) => await buyIn({ ...reader, paylink, shopUrl, machine }, start) };
}

type Shop = Pick<ShopReader, 'blocks' | 'run'> & {
  paylink: Paylink;
  shopUrl: string;
  machine: Record<string, string>;
};

async function buyIn(shop: Shop, start: string): Promise<void> {
  const child = spawn('sh', ['-ec', start], {
    env: shop.machine,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const isUp = async () =>
    await fetch(`${shop.shopUrl}/nothing`).then(
      () => true,
      () => false,
    );
  try {
    await until(isUp, 'the shop').catch((error) => assert.fail(`${error.message}\n${output}`));
    await compareWithPage(shop, () => output);
  } finally {
    // The shell and the shop that it has started.
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  }
}

async function compareWithPage(shop: Shop, output: () => string): Promise<void> {
  const [order = '', forge = ''] = shop.blocks('## Buy something', 'sh');
  const [shown = ''] = shop.blocks('## Buy something', 'text');
  // One shell runs both blocks of the page.
  const [settings = ''] = order.split('\n');
  const pay = async (number: string) => (await payWith((await shop.run(order)).trim(), { number })).url;

  const back = await pay('4242424242424242');
  const id = new URL(back).searchParams.get('customerOrderId');
  const paid = `Order ${id}: paid\n`;
  assert.equal(await (await fetch(back)).text(), paid);
  const marked = shown.trim().replace('…', String(id));
  await until(() => output().includes(marked), `"${marked}"`).catch((error) =>
    assert.fail(`${error.message}\n${output()}`),
  );
  assert.equal(await (await fetch(back)).text(), paid, 'the page is reloaded');
  await resendAll(shop.paylink);
  assert.equal(output().split(marked).length, 2, 'messages that come again mark nothing');

  assert.ok((await fetch(`${shop.shopUrl}/return?paymentResult[]=x&customerOrderId=y`)).status < 500);
  const forged = back.replace(
    /(paymentResult=[^.]+\.)(.)/,
    (_, head, one) => head + (one === 'A' ? 'B' : 'A'),
  );
  assert.ok((await fetch(forged)).status >= 400, 'a changed result is refused');
  assert.match(await shop.run(`${settings}\n${forge}`), /400\n$/);

  const declined = await pay('4000000000000002');
  assert.match(await (await fetch(declined)).text(), /^Order \S+: failed\n$/);
  assert.equal(output().split(shown.trim().replace('…', '')).length, 2, 'one order is paid');
}

/** Sends every message of the only endpoint again, and waits until all have arrived. */
async function resendAll(paylink: Paylink): Promise<void> {
  const credentials = await logIn(paylink);
  const { body: list } = await call(paylink, credentials, ['GET', endpointsPath]);
  const [endpoint] = list.data as Json[];
  const id = String(endpoint?.endpointId);
  const isDelivered = async () =>
    (await listDeliveries(paylink, credentials, { id })).every(({ status }) => status === 'delivered');
  await until(isDelivered, 'all messages');
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { status } = await call(paylink, credentials, ['POST', `${endpointsPath}/${id}/resend`], { since });
  assert.equal(status, 200);
  await until(isDelivered, 'all messages again');
  // For what the shop prints about the last one.
  await sleep(200);
}
