// What every kind of processor owes to the settings of a connection: it describes itself, says whether
// credentials hold, and mistakes neither wrong ones nor those of the other mode for good ones.

import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type Guarantee, openAttempt, openBench } from './bench.ts';

/** What is reached over a network is reached with credentials. */
const needsSettings: Guarantee['applies'] = ({ isRemote }) => isRemote;

export const settings: readonly Guarantee[] = [
  {
    title: 'it describes itself: a name fit for addresses, a title, its modes, currencies and fields',
    prove: async ({ rig: { kind } }) => {
      assert.match(kind.name, /^[a-z][a-z_]*$/);
      assert.ok(kind.title !== '' && kind.modes.length > 0 && kind.currencies.length > 0);
      assert.ok(Number.isSafeInteger(kind.actionLifeMs) && kind.actionLifeMs > 0);
      const names = kind.fields.map(({ name }) => name);
      assert.equal(new Set(names).size, names.length);
      for (const { label, help, maxLength } of kind.fields)
        assert.ok(label !== '' && help !== '' && maxLength > 0);
    },
  },
  {
    title: 'it asks for cards only when it takes them, and instructs only who sends a transfer',
    prove: async (bench) => {
      const { kind } = bench.rig;
      assert.equal(bench.rig.cardFor('pay') !== null, kind.takes === 'card');
      const { request } = await openAttempt(bench);
      const instructions = await kind.connect(bench.connection).instruct(request);
      assert.equal(instructions !== null, kind.takes === 'transfer');
    },
  },
  {
    title: 'credentials that hold are called good, with the name of whose account it is',
    prove: async (bench) => {
      for (const connection of [bench.connection, bench.rig.otherConnection]) {
        const said = await bench.check(connection);
        assert.ok(said.kind === 'good' && said.holder !== '', inspect(said));
      }
    },
  },
  {
    title: 'credentials that do not hold are called bad, each by its field',
    applies: needsSettings,
    prove: async (bench) => {
      assert.ok(bench.rig.badConnections.length > 0);
      for (const { field, connection } of bench.rig.badConnections) {
        const said = await bench.check(connection);
        assert.equal(said.kind, 'bad', `a wrong ${field} is called bad`);
        const faults = said.kind === 'bad' ? said.faults : [];
        assert.ok(
          faults.some((fault) => fault.field === field && fault.code !== '' && fault.detail !== ''),
          `the fault is of ${field}: ${inspect(faults)}`,
        );
      }
    },
  },
  {
    title: 'credentials of the test mode are no good in live mode',
    applies: needsSettings,
    prove: async (bench) => {
      assert.equal(bench.connection.mode, 'test');
      assert.equal((await bench.check({ ...bench.connection, mode: 'live' })).kind, 'bad');
    },
  },
  {
    title: 'credentials that nobody could check are neither good nor bad: it throws',
    applies: needsSettings,
    prove: async (bench) => {
      await bench.rig.control({ outage: { fault: { kind: 'refuse' } } });
      await assert.rejects(bench.check(bench.connection));
      for (const status of [500, 503]) {
        const fault = { kind: 'status', status, does: false } as const;
        await bench.rig.control({ outage: { fault, on: 'all' } });
        await assert.rejects(bench.check(bench.connection));
      }
    },
  },
  {
    title: 'with credentials that do not hold nothing begins, and no question is answered',
    applies: needsSettings,
    prove: async (bench) => {
      const { request } = await openAttempt(bench);
      const unknown = bench.rig.badConnections.find(({ opensNothing }) => opensNothing);
      assert.ok(unknown, 'one of the bad connections opens no account');
      const closed = openBench(bench.rig, bench.features, unknown.connection);
      assert.equal((await closed.authorise(closed.newRequest())).kind, 'unavailable');
      await assert.rejects(closed.query(request));
      assert.deepEqual(closed.leaks, []);
    },
  },
];
