import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommonPasswords } from './common-passwords.ts';
import { passwordError } from './password-policy.ts';

const detailOf = async (password: string) =>
  (await passwordError(password, 'Ada@Example.com', 'password'))?.detail ?? 'good';

test('the list has thousands of passwords, all in lower case', async () => {
  const common = await readCommonPasswords();
  assert.ok(common.size > 40_000);
  for (const listed of common) assert.equal(listed, listed.toLowerCase());
});

test('a common password and the account’s address are refused, ignoring case and width', async () => {
  for (const password of [
    'password1234',
    'PassWord1234',
    'ｐａｓｓｗｏｒｄ１２３４',
    '1qaz2wsx3edc',
    'mailcreated5240',
  ])
    assert.match(await detailOf(password), /most common/, password);
  for (const password of ['ADA@example.com', 'ada@EXAMPLE.com'])
    assert.match(await detailOf(password), /email address/, password);
  assert.equal(await detailOf('four quiet rivers at dawn'), 'good');
});

test('a common password with digits, signs or itself added is refused', async () => {
  for (const password of ['Welcome2026!!', '!!!dragon!!!123', 'monkeymonkey', 'superman 2026'])
    assert.match(await detailOf(password), /most common/, password);
});

test('spaces, invisible characters and a few repeated characters are refused', async () => {
  for (const password of [
    ' '.repeat(12),
    '\u00a0\u3000\t\u2003'.repeat(4),
    '\u200b\u2060\u3164\ufe0f\u00ad'.repeat(3),
    '\u2800'.repeat(12),
    'a'.repeat(30),
    'abcabcabcabc',
    '1212 1212 1212',
    'a           b',
  ])
    assert.match(await detailOf(password), /5 different characters/, JSON.stringify(password));
});

test('long passwords of digits, of other scripts and from a generator are accepted', async () => {
  for (const password of [
    '7193 0284 6650',
    'четыре тихие реки',
    '静かな四つの川が朝に流れている',
    'kT3x9Qp0vLm2',
    '🐢🐇🦊🦉🐝🐠🌲🌊🌙⭐🔥❄️',
  ])
    assert.equal(await detailOf(password), 'good', password);
});
