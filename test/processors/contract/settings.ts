// Guarantees about a connection's settings: the processor describes itself, and rejects invalid credentials.

import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type Guarantee, openAttempt, openBench } from './bench.ts';

/** A processor on a network requires credentials. */
const needsSettings: Guarantee['applies'] = ({ isRemote }) => isRemote;

export const settings: readonly Guarantee[] = [
  {
    title: 'it describes itself: a name fit for addresses, a title, modes, currencies and fields',
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
    title: 'only a card processor requires cards, and only a transfer processor gives instructions',
    prove: async (bench) => {
      const { kind } = bench.rig;
      assert.equal(bench.rig.cardFor('pay') !== null, kind.takes === 'card');
      const { request } = await openAttempt(bench);
      const instructions = await kind.connect(bench.connection).instruct(request);
      assert.equal(instructions !== null, kind.takes === 'transfer');
    },
  },
  {
    title: 'valid credentials are accepted, with the account holder',
    prove: async (bench) => {
      for (const connection of [bench.connection, bench.rig.otherConnection]) {
        const result = await bench.check(connection);
        assert.ok(result.kind === 'good' && result.holder !== '', inspect(result));
      }
    },
  },
  {
    title: 'invalid credentials are rejected, each by its field',
    applies: needsSettings,
    prove: async (bench) => {
      assert.ok(bench.rig.invalidConnections.length > 0);
      for (const { field, connection } of bench.rig.invalidConnections) {
        const result = await bench.check(connection);
        assert.equal(result.kind, 'bad', `a wrong ${field} is called bad`);
        const faults = result.kind === 'bad' ? result.faults : [];
        assert.ok(
          faults.some((fault) => fault.field === field && fault.code !== '' && fault.detail !== ''),
          `the fault is of ${field}: ${inspect(faults)}`,
        );
      }
    },
  },
  {
    title: 'test credentials are rejected in live mode',
    applies: needsSettings,
    prove: async (bench) => {
      assert.equal(bench.connection.mode, 'test');
      assert.equal((await bench.check({ ...bench.connection, mode: 'live' })).kind, 'bad');
    },
  },
  {
    title: 'a check without a response throws',
    applies: needsSettings,
    prove: async (bench) => {
      await bench.rig.control({ outage: { fault: { kind: 'refuse' } } });
      await assert.rejects(bench.check(bench.connection));
      for (const status of [500, 503]) {
        const fault = { kind: 'status', status, isPerformed: false } as const;
        await bench.rig.control({ outage: { fault, on: 'all' } });
        await assert.rejects(bench.check(bench.connection));
      }
    },
  },
  {
    title: 'with invalid credentials nothing starts, and every query throws',
    applies: needsSettings,
    prove: async (bench) => {
      const { request } = await openAttempt(bench);
      const unknown = bench.rig.invalidConnections.find(({ isUnknownAccount }) => isUnknownAccount);
      assert.ok(unknown, 'one of the bad connections opens no account');
      const closed = openBench(bench.rig, bench.features, unknown.connection);
      assert.equal((await closed.authorise(closed.newRequest())).kind, 'unavailable');
      await assert.rejects(closed.query(request));
      assert.deepEqual(closed.leaks, []);
    },
  },
];
