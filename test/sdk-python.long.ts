// The Python client as users get it: the wheel, in an environment of its own with fixed versions. Runs its tests with
// pytest, against stubs and against a real service, and checks its types. Another test compares its methods with Node's.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { blocksOf, read, sectionOf } from './harness/documents.ts';
import { type Paylink, password, startPaylink } from './harness/paylink.ts';
import { root } from './harness/process.ts';
import { payWith } from './harness/visitor.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';

const exec = promisify(execFile);

/** For downloads, which may be slow. */
const timeLimit = { timeout: 880_000 };
const requirements = join(root, 'test/sdk-python.requirements.txt');

let home: string;
let paylink: Paylink;
let customer: Server;
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'paylink-sdk-python-'));
  await exec('python3', ['-m', 'venv', join(home, 'venv')]);
  await python('-m', 'pip', 'install', '--only-binary', ':all:', '-r', requirements);
  await cp(join(root, 'sdk-python'), join(home, 'sdk-python'), { recursive: true });
  await cp(join(root, 'openapi.json'), join(home, 'openapi.json'));
  await python('-m', 'hatchling', 'build', '-t', 'wheel', '-d', join(home, 'wheels'));
  const wheels = await readdir(join(home, 'wheels'));
  assert.deepEqual(wheels, [`paylink_sdk-${JSON.parse(read('sdk/package.json')).version}-py3-none-any.whl`]);
  await python('-m', 'pip', 'install', '--no-deps', join(home, 'wheels', wheels[0] ?? ''));
  // From here on only the wheel is imported.
  await rm(join(home, 'sdk-python', 'src'), { recursive: true });
  paylink = await startPaylink('server', { settings: loopbackSettings });
  customer = await startCustomer();
}, timeLimit);
after(async () => {
  customer?.closeAllConnections();
  customer?.close();
  await paylink?.stop();
  await rm(home, { recursive: true, force: true });
});

/** Runs Python in the folder of the package. Rejects with what it prints. */
async function python(...args: string[]): Promise<string> {
  const program = join(home, 'venv', 'bin', 'python');
  const { port = 0 } = (customer?.address() ?? {}) as Partial<AddressInfo>;
  const env = {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    PAYLINK_BASE_URL: paylink?.baseUrl,
    PAYLINK_EMAIL: paylink?.merchant.email,
    PAYLINK_PASSWORD: password,
    PAYLINK_CUSTOMER: `http://127.0.0.1:${port}/`,
  };
  const cwd = args.includes('venv') || args.includes('-r') ? home : join(home, 'sdk-python');
  const { stdout } = await exec(program, args, { cwd, env, maxBuffer: 2 ** 24 }).catch(
    ({ stdout: out, stderr }) => {
      throw new Error(`python ${args.join(' ')}\n${out}${stderr}`);
    },
  );
  return stdout;
}

/** Pays the link that is posted, and answers the address where the customer lands. */
async function startCustomer(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const landed = await payWith(await readText(request), { number: '4242424242424242' });
    response.end(landed.url);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

test('the wheel passes its unit tests', timeLimit, async () => {
  assert.match(await python('-m', 'pytest', '-q', 'tests/unit'), /\d+ passed/);
});

test(
  'the wheel makes, verifies and refunds payments of a real service, and its README works',
  timeLimit,
  async () => {
    assert.match(await python('-m', 'pytest', '-q', 'tests/real'), /\d+ passed/);
  },
);

test('the types of the wheel and of its tests pass mypy, and a mistake does not', timeLimit, async () => {
  const check = async (...files: string[]) =>
    await python('-m', 'mypy', '--strict', '--cache-dir', join(home, 'mypy'), ...files);
  await check('-p', 'paylink_sdk');
  const mistakes = [
    'payment.stattus',
    'payment.status == "payed"',
    'paylink.payments.create(email="a@example.com")',
    'paylink.payments.refund(payment.payment_link_code, amuont=5)',
    'event.type == "refund.fialed"',
    'event.type == "payment.paid" and event.data.refund',
  ];
  const head = [
    'from paylink_sdk import Paylink, WebhookEvent',
    'def look(paylink: Paylink, event: WebhookEvent, code: str) -> object:',
    '    payment = paylink.payments.get(code)',
  ];
  const right = 'event.type == "refund.failed" and event.data.refund.failure_code, payment.status == "paid"';
  const fileOf = async (name: string, expression: string) => {
    await writeFile(join(home, name), `${[...head, `    return ${expression}`].join('\n')}\n`);
    return join(home, name);
  };
  await check(await fileOf('right.py', right));
  for (const [index, mistake] of mistakes.entries())
    await assert.rejects(
      async () => await check(await fileOf(`wrong_${index}.py`, mistake)),
      /error: /,
      mistake,
    );
  for (const folder of ['unit', 'real'])
    await check(join('tests', folder)).catch((error) => assert.fail(`${folder}: ${error.message}`));
});

test(
  'the chapter of the guide on the Python package works from its installation to the events',
  timeLimit,
  async () => {
    const chapter = sectionOf(read('docs/guide.md'), '## With the Python package');
    const clone = join(home, 'paylink');
    const shop = join(home, 'paylink-shop');
    await mkdir(clone);
    await cp(join(root, 'sdk-python'), join(clone, 'sdk-python'), { recursive: true });
    const own = (block: string) =>
      block
        .replaceAll('http://localhost:3000', paylink.baseUrl)
        .replaceAll('owner@example.com', paylink.merchant.email)
        .replaceAll('the password that the first start printed', password);
    const [install = '', start = ''] = blocksOf(chapter, 'sh').map(own);
    const env = { ...process.env, HOME: home, PIP_CONSTRAINT: requirements };
    const shell = async (script: string, cwd: string) => await exec('sh', ['-ec', script], { cwd, env });
    await shell(install, clone);
    // The program asks for the address where the customer landed.
    const program = own(blocksOf(chapter, 'python').join('\n'));
    const { port } = customer.address() as AddressInfo;
    const payer = `import httpx\nask = lambda _text: httpx.post("http://127.0.0.1:${port}/", content=link.payment_link, timeout=60).text`;
    assert.ok(program.includes('input('));
    await writeFile(join(shop, 'guide.py'), `${payer}\n${program.replace('input(', 'ask(')}`);
    const { stdout } = await shell(start, shop);
    const lines = stdout.trim().split('\n');
    const [shown = ''] = blocksOf(chapter, 'text');
    const expected = shown
      .trim()
      .split('\n')
      .filter((line) => !/^Pay here|^The whole address/.test(line));
    assert.deepEqual(lines.slice(1), expected);
    assert.match(lines[0] ?? '', /^Pay here: http/);
  },
);
