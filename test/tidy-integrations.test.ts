// The tidy rule about integrations, with planted violations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAll } from './tidy-checks.ts';

function messagesIn(path: string, specifier: string): string[] {
  const text = `// A planted file.\nimport { a } from '${specifier}';\n`;
  return checkAll([{ path, text }])
    .filter(({ rule }) => rule === 'import arrow')
    .map(({ message }) => message);
}

test('an integration imports neither the service, nor another integration, nor the tests', () => {
  const cases: [from: string, specifier: string, target: string][] = [
    ['integrations/medusa/src/a.ts', '../../../src/base/money.ts', 'src/base/money.ts'],
    ['integrations/medusa/src/a.ts', '../../vendure/src/b.ts', 'integrations/vendure/src/b.ts'],
    ['integrations/shared/a.ts', '../vendure/src/b.ts', 'integrations/vendure/src/b.ts'],
    ['integrations/medusa/src/a.ts', '../../../test/harness/b.ts', 'test/harness/b.ts'],
  ];
  for (const [from, specifier, target] of cases)
    assert.deepEqual(messagesIn(from, specifier), [
      `imports ${target}: an integration imports its own files, integrations/shared/ and sdk/src/`,
    ]);
});

test('an integration imports its own files, what the integrations share, the client, and packages', () => {
  for (const specifier of [
    './b.ts',
    '../../shared/b.ts',
    '../../../sdk/src/index.ts',
    '@vendure/core',
    'node:crypto',
  ])
    assert.deepEqual(messagesIn('integrations/vendure/src/a.ts', specifier), [], specifier);
});
