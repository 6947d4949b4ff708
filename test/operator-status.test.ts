// The status of the service over the API: only accounts that OPERATOR_EMAILS names see it, and it names no company.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createCompany } from '../src/create-company.ts';
import { type Credentials, call, createLinkAs, logIn } from './harness/client.ts';
import { browse, signIn } from './harness/dashboard.ts';
import { engines, type Merchant, type Paylink, password, startPaylink } from './harness/paylink.ts';
import { addMember } from './harness/people.ts';
import { payWith } from './harness/visitor.ts';

const path = '/v1/operator/status';
const answerLost = { number: '4000000000009011' };

for (const engine of engines)
  describe(`the status for operators on the ${engine} database`, () => {
    let paylink: Paylink;
    let operator: Merchant;
    let credentials: Credentials;
    before(async () => {
      paylink = await startPaylink(engine, {
        // In capitals, as somebody may type it, beside a second one.
        settings: { OPERATOR_EMAILS: ' Ops@Example.com,viewer@example.com\tthird@example.com' },
      });
      const company = { name: 'Betrieb', country: 'DE', email: 'ops@example.com', password };
      const { companyId, accountId } = await createCompany(paylink.app.deps, company);
      operator = { companyId, accountId, email: company.email };
      credentials = await logIn(paylink, operator);
    });
    after(async () => await paylink.stop());

    test('an operator gets the status by the three credentials and by the cookie, and it is not stored', async () => {
      const { status, body, headers } = await call(paylink, credentials, ['GET', path]);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.deepEqual([body.verdict, body.problems], ['ok', []]);
      const byCookie = await browse(paylink, await signIn(paylink, operator), ['GET', path]);
      assert.deepEqual([byCookie.status, Object.keys(byCookie.body)], [200, Object.keys(body)]);
    });

    test('a viewer of another company is an operator if the setting names the account', async () => {
      const owner = await logIn(paylink);
      const viewer = await addMember(paylink, owner, ['viewer'], 'viewer@example.com');
      assert.equal((await call(paylink, viewer.credentials, ['GET', path])).status, 200);
    });

    test('the owner of a company is refused without anything of the status, and so is a call without credentials', async () => {
      const refused = await call(paylink, await logIn(paylink), ['GET', path]);
      assert.deepEqual([refused.status, refused.body.code], [403, 'operator_only']);
      assert.equal('work' in refused.body, false);
      const stranger = await call(paylink, {}, ['GET', path]);
      assert.deepEqual([stranger.status, stranger.body.code], [401, 'missing_credentials']);
    });

    test('the session says whether its account is an operator', async () => {
      for (const [who, isOperator] of [
        [operator, true],
        [paylink.merchant, false],
      ] as const) {
        const { body } = await browse(paylink, await signIn(paylink, who), ['GET', '/v1/session']);
        assert.equal((body.session as { isOperator: unknown }).isOperator, isOperator);
      }
    });

    test('an attempt without an outcome is counted, and nothing of its company is in the response', async () => {
      const owner = await logIn(paylink);
      const { link, code } = await createLinkAs(paylink, owner);
      await payWith(link, answerLost);
      const { db } = paylink.app.deps;
      await db.asOwner.query(
        `update attempts set state = 'unknown', updated_at = now() - interval '20 minutes'`,
      );
      const { body } = await call(paylink, credentials, ['GET', path]);
      assert.equal(body.verdict, 'attention');
      const [problem] = body.problems as { code: string; count: number; names: string[] }[];
      assert.deepEqual([problem?.code, problem?.count, problem?.names], ['unknown_attempts', 1, ['test']]);
      const text = JSON.stringify(body);
      const { companyId, accountId, email } = paylink.merchant;
      for (const secret of [companyId, accountId, email, code, 'Café Zürich', 'ops@example.com'])
        assert.equal(text.includes(secret), false, secret);
    });
  });

describe('without the setting', () => {
  let paylink: Paylink;
  before(async () => {
    paylink = await startPaylink('server');
  });
  after(async () => await paylink.stop());

  test('nobody is an operator', async () => {
    const refused = await call(paylink, await logIn(paylink), ['GET', path]);
    assert.deepEqual([refused.status, refused.body.code], [403, 'operator_only']);
  });
});
