// The code examples of /docs of every operation: curl, Node, Python and PHP run each against a service, and Go compiles
// each and runs the main ones.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { exampleRequest } from '../src/docs/example-request.ts';
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
import { goPath } from './harness/services.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';
import { run } from './sdk/packed.ts';

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

for (const id of ['curl', 'node', 'python', 'php']) {
  const language = languageOf(id);

  test(`every operation succeeds by its example in ${language.title}`, async () => {
    assert.ok(documented.length > 80);
    for (const one of documented) {
      const ended = await runExample(one, language, { company, workshop });
      assert.equal(ended.code, 0, `${one.route.name}: ${ended.errors}${ended.output}`);
    }
  });
}

for (const id of ['php', 'go']) {
  const language = languageOf(id);

  test(`an example in ${language.title} sends every character of its request`, async () => {
    await checkTransfer(workshop, language);
  });
}

test('the main operations succeed by their examples in Go', async () => {
  for (const name of mainOperations) {
    const one = documented.find(({ route }) => route.name === name);
    assert.ok(one, name);
    const ended = await runExample(one, languageOf('go'), { company, workshop });
    assert.equal(ended.code, 0, `${name}: ${ended.errors}`);
  }
});

test('the example of every operation in Go compiles, and has the form of gofmt', async () => {
  const folder = path.join(workshop.folder, 'all');
  await mkdir(folder);
  await writeFile(path.join(folder, 'go.mod'), 'module examples\n\ngo 1.19\n');
  for (const { operation } of documented) {
    const place = path.join(folder, operation.id);
    await mkdir(place);
    const program = languageOf('go').render(exampleRequest(operation, paylink.baseUrl));
    await writeFile(path.join(place, 'main.go'), `${program}\n`);
  }
  const env = { GOCACHE: path.join(workshop.folder, 'go-cache'), GOTOOLCHAIN: 'local', GOPROXY: 'off' };
  const vetted = await run(goPath(), ['vet', './...'], folder, env);
  assert.equal(vetted.code, 0, vetted.errors);
  const unformatted = await run(path.join(path.dirname(goPath()), 'gofmt'), ['-l', '.'], folder, env);
  assert.deepEqual([unformatted.code, unformatted.output], [0, '']);
});
