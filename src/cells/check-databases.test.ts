import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { OperatorError } from '../base/operator-error.ts';
import { isUnreachable, nameCell } from './check-databases.ts';

const withCode = (code: string) => Object.assign(new Error(`failed with ${code}`), { code });
const ofServer = (code: string) => Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code });

test('an error of a cell gets its name, and stays what it is', () => {
  const cases: [error: Error, isUnreachable: boolean][] = [
    [withCode('ECONNREFUSED'), true],
    [Object.assign(new AggregateError([withCode('ECONNREFUSED')]), { code: 'ECONNREFUSED' }), true],
    [ofServer('57P03'), true],
    [ofServer('28P01'), false],
    [ofServer('42501'), false],
    [new OperatorError('It is read-only.'), false],
    [new OperatorError('Its database cannot be reached: no.', { cause: ofServer('3D000') }), false],
    [new OperatorError('Its database cannot be reached: no.', { cause: withCode('ENOTFOUND') }), true],
  ];
  for (const [error, expected] of cases) {
    const { message } = error;
    assert.equal(isUnreachable(error), expected, message);
    const named = nameCell('eu2', error);
    assert.ok(named instanceof Error);
    assert.match(named.message, /^The cell eu2: ./, message);
    assert.equal(isUnreachable(named), expected, named.message);
    assert.equal((named as { code?: string }).code, (error as { code?: string }).code);
  }
});
