// Two cells with a company each, and the commands of the operator on them.

import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.ts';
import { createHome, type Home } from '../harness/cli.ts';
import { createLinkAs, logIn } from '../harness/client.ts';
import type { Merchant, Paylink } from '../harness/paylink.ts';
import { payWith } from '../harness/visitor.ts';
import { createTestEndpoint, loopbackSettings } from '../harness/webhook-endpoints.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';

export type CommandStage = {
  rig: CellsRig;
  home: Home;
  /** The cell eu1, which has the directory. */
  directory: Database;
  eu2: Database;
  /** The company of a cell: it has a paid payment and an endpoint. */
  merchantOf(cell: string): Merchant;
  /** Runs work on a process of its own. The commands before and after it run without one. */
  withService<T>(work: (paylink: Paylink) => Promise<T>, settings?: Record<string, string>): Promise<T>;
  run(...args: string[]): ReturnType<Home['run']>;
  /** Runs a command that must succeed. Returns what it printed as JSON. */
  report(...args: string[]): Promise<ReturnType<typeof JSON.parse>>;
  close(): Promise<void>;
};

export const rowsOf = async (database: Database, text: string, values: unknown[] = []) =>
  await database.asOwner.query<Record<string, unknown>>(text, values);

export const countOf = async (database: Database, text: string, values: unknown[] = []) =>
  Number((await rowsOf(database, `select count(*)::int as count from ${text}`, values))[0]?.count);

/** Creates companies until each cell has one. */
async function createCompanies(paylink: Paylink): Promise<ReadonlyMap<string, Merchant>> {
  const merchants = new Map<string, Merchant>();
  while (merchants.size < 2) {
    const merchant = await paylink.createMerchant();
    const cell = (await paylink.app.deps.db.cellOf(merchant.companyId)).cell ?? '';
    if (merchants.has(cell)) continue;
    merchants.set(cell, merchant);
    const owner = await logIn(paylink, merchant);
    const { link } = await createLinkAs(paylink, owner);
    await payWith(link, { number: '4242424242424242' });
    const endpoint = { url: 'http://127.0.0.1:19999/none', events: ['refund.succeeded'] };
    await createTestEndpoint(paylink, owner, endpoint);
  }
  await paylink.app.work.sweep('calendar');
  return merchants;
}

export async function openCommandStage(): Promise<CommandStage> {
  const rig = await openCellsRig({ eu1: 'one', eu2: 'one' });
  const home = await createHome();
  const close = async () => {
    await rig.close();
    await home.remove();
  };
  const withService: CommandStage['withService'] = async (work, settings = {}) => {
    const paylink = await rig.start({ settings: { ...loopbackSettings, ...settings } });
    try {
      return await work(paylink);
    } finally {
      await paylink.stop();
    }
  };
  const run: CommandStage['run'] = async (...args) => await home.run(rig.settings(), ...args);
  const merchants = await withService(createCompanies).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...{ rig, home, withService, run },
    directory: await rig.openRaw('eu1'),
    eu2: await rig.openRaw('eu2'),
    merchantOf: (cell) => {
      const merchant = merchants.get(cell);
      assert.ok(merchant, cell);
      return merchant;
    },
    report: async (...args) => {
      const { code, out, err } = await run(...args, '--json');
      assert.equal(code, 0, `${args.join(' ')}: ${out}${err}`);
      return JSON.parse(out);
    },
    close,
  };
}
