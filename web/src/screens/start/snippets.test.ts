// What holds for the example lines: any value of a merchant arrives unchanged, and nothing in it is executed.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { curlLink, scriptLink } from './snippets.ts';

const nasty = `o'brien+"$(exit 7)\`exit 8\`\\n\\'@example.com`;
const filled = {
  baseUrl: 'https://pay.example.com',
  email: nasty,
  companyId: 'co_1',
  apiKey: 'the key of step 1',
  password: 'your password',
};

test('a shell reads the values in the curl lines literally', () => {
  // Replaces curl: prints each argument between marks.
  const curl = `curl() { for one in "$@"; do printf '<%s>' "$one"; done >&2; echo '{"token":"t-1"}'; }\n`;
  const said = execFileSync('sh', ['-c', `{ ${curl}${curlLink(filled)}\n} 2>&1`], { encoding: 'utf8' });
  const [, login = ''] = /<-d><(\{"email".*?\})>/s.exec(said) ?? [];
  assert.deepEqual(JSON.parse(login), { email: nasty, password: 'your password' });
  assert.match(said, /<Authorization: Bearer t-1><-H><X-API-KEY: the key of step 1><-H><X-COMPANY-ID: co_1>/);
  const [, order = ''] = /<-d><(\{\n.*?\})>/s.exec(said) ?? [];
  const { customerOrderId, success_url } = JSON.parse(order) as Record<string, string>;
  assert.match(customerOrderId ?? '', /^first-order-\d+$/);
  assert.equal(success_url, 'https://pay.example.com/sandbox/shop/success');
});

test('a script reads the values in the SDK lines literally', () => {
  const [, literal = ''] = /email: ('.*'),$/m.exec(scriptLink(filled)) ?? [];
  assert.equal(runInNewContext(literal), nasty);
});
