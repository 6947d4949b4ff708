// Each role at each merchant route: a call without the right is refused before any other check. On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Right, rights, roles } from '../src/http/roles.ts';
import { type Credentials, call, logIn } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';

let paylink: Paylink;
const callers = new Map<string, Credentials>();
before(async () => {
  paylink = await startPaylink('server');
  for (const role of roles)
    callers.set(role, await logIn(paylink, await paylink.createMerchant({ roles: [role] })));
});
after(async () => await paylink.stop());

/** The routes. Tests send invalid bodies, so that a call with the right is refused for its body and changes nothing. */
const routes: readonly [method: string, path: string, right: Right | null][] = [
  ['GET', '/v1/api-keys', 'keys:read'],
  ['POST', '/v1/api-keys', 'keys:manage'],
  ['POST', '/v1/api-keys/none/roll', 'keys:manage'],
  ['DELETE', '/v1/api-keys/none', 'keys:manage'],
  ['GET', '/v1/service-keys', 'keys:read'],
  ['POST', '/v1/service-keys', 'keys:manage'],
  ['GET', '/v1/service-keys/none', 'keys:read'],
  ['PATCH', '/v1/service-keys/none', 'keys:manage'],
  ['POST', '/v1/service-keys/none/roll', 'keys:manage'],
  ['DELETE', '/v1/service-keys/none', 'keys:manage'],
  ['GET', '/v1/members', 'members:read'],
  ['GET', '/v1/invitations', 'members:read'],
  ['POST', '/v1/members', 'members:manage'],
  ['PATCH', '/v1/members/none', 'members:manage'],
  ['DELETE', '/v1/members/none', 'members:manage'],
  ['DELETE', '/v1/invitations/none', 'members:manage'],
  ['GET', '/v1/company', 'company:read'],
  ['PATCH', '/v1/company', 'company:manage'],
  ['POST', '/v1/company/preview', 'company:read'],
  ['GET', '/v1/audit-events', 'audit:read'],
  ['GET', '/v1/requests', 'requests:read'],
  ['GET', '/v1/requests/none', 'requests:read'],
  ['GET', '/v1/access', null],
  ['GET', '/v1/me', null],
  ['GET', '/v1/me/sessions', null],
  ['POST', '/v1/me/password', null],
  ['DELETE', '/v1/me/sessions/none', null],
];
for (const [method, path, right] of routes) {
  const body = method === 'POST' || method === 'PATCH' ? { wrong: true } : undefined;

  test(`${method} ${path} requires ${right ?? 'no right'}`, async () => {
    for (const [role, credentials] of callers) {
      const answer = await call(paylink, credentials, [method, path], body);
      const isAllowed = right === null || (rights[right] as readonly string[]).includes(role);
      assert.equal(answer.status === 403, !isAllowed, `${role}: ${answer.status}`);
      if (isAllowed) continue;
      assert.equal(answer.body.code, 'role_not_allowed');
      for (const allowed of rights[right]) assert.match(String(answer.body.detail), new RegExp(allowed));
    }
  });

  test(`${method} ${path} requires credentials`, async () => {
    const answer = await call(paylink, {}, [method, path], body);
    assert.deepEqual([answer.status, answer.body.code], [401, 'missing_credentials']);
  });
}
