// The code examples of /docs in the languages of every machine: they send the request that they show, and each of the
// main operations succeeds. docs-examples.long.ts runs all operations, and PHP and Go.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { exampleLanguages } from '../src/docs/example-languages.ts';
import {
  type Documented,
  languageOf,
  listDocumented,
  mainOperations,
  openWorkshop,
  runExample,
  type Workshop,
} from './harness/doc-examples.ts';
import { checkTransfer } from './harness/doc-requests.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { openCompany, type RouteCompany } from './harness/route-cases.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';

let paylink: Paylink;
let company: RouteCompany;
let documented: Documented[];
let workshop: Workshop;
before(async () => {
  paylink = await startPaylink('server', { settings: loopbackSettings });
  company = await openCompany(paylink, paylink.merchant);
  documented = await listDocumented(paylink.baseUrl);
  workshop = await openWorkshop();
});
after(async () => {
  await workshop.remove();
  await paylink.stop();
});

for (const id of ['curl', 'node', 'python']) {
  const language = languageOf(id);

  test(`an example in ${language.title} sends every character of its request`, async () => {
    await checkTransfer(workshop, language);
  });

  test(`the main operations succeed by their examples in ${language.title}`, async () => {
    for (const name of mainOperations) {
      const one = documented.find(({ route }) => route.name === name);
      assert.ok(one, name);
      const ended = await runExample(one, language, { company, workshop });
      assert.equal(ended.code, 0, `${name}: ${ended.errors}`);
      assert.equal(typeof JSON.parse(ended.output), 'object', name);
    }
  });

  test(`an example in ${language.title} fails when the request is refused`, async () => {
    const one = documented.find(({ route }) => route.name === 'GET /v1/payments');
    assert.ok(one);
    const stranger = {
      ...company,
      caller: { ...company.caller, credentials: { ...company.credentials, token: 'x' } },
    };
    const withoutKey = { ...one, operation: { ...one.operation, security: [{ bearer: [] }] } };
    const ended = await runExample(withoutKey, language, { company: stranger, workshop });
    assert.notEqual(ended.code, 0);
  });
}

test('the page has the example of every operation in every language, and none contains a credential', async () => {
  const page = await (await fetch(`${paylink.baseUrl}/docs`)).text();
  const sections = page.matchAll(/<section class="example" data-language="(\w+)">(.*?)<\/section>/gs);
  const shown = [...sections].map(([, id = '', program = '']) => ({ id, program }));
  for (const { id } of exampleLanguages)
    assert.equal(shown.filter((one) => one.id === id).length, documented.length, id);
  for (const { program } of shown) assert.doesNotMatch(program, /pl[sk]_(test|live)_/);
  const [first] = shown;
  assert.match(first?.program ?? '', /\/v1\/payment\/process/);
});
