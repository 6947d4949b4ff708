import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonPasswords } from './common-passwords.ts';
import { faultOfPassword, minPasswordLength } from './password-policy.ts';

test('about a hundred common passwords are listed, each in lower case and long enough to come into question', () => {
  assert.ok(commonPasswords.size >= 100);
  for (const listed of commonPasswords) {
    assert.equal(listed, listed.toLowerCase());
    assert.ok(listed.length >= minPasswordLength, listed);
  }
});

test('a listed password and the account’s own address are refused in any case and any width of letters', () => {
  for (const password of [
    'password1234',
    'PassWord1234',
    'ｐａｓｓｗｏｒｄ１２３４',
    'ADA@example.com',
    'ada@EXAMPLE.com',
  ])
    assert.equal(faultOfPassword(password, 'Ada@Example.com', 'password')?.code, 'too_easy', password);
  assert.equal(faultOfPassword('four quiet rivers at dawn', 'ada@example.com', 'password'), null);
});
