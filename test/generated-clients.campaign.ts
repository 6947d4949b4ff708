// Clients for PHP, Go, TypeScript and Python, generated as docs/generated-clients.md says, compile, and make and refund a
// payment. They do so again while responses are lost, with an amount of nine digits, against a service with later fields.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { apiVersions, newestOf } from '../src/http/api-versions.ts';
import { type DisturbingProxy, startDisturbingProxy } from './harness/disturbing-proxy.ts';
import { read } from './harness/documents.ts';
import {
  amountOfPage,
  openWorkshop,
  readChapter,
  type Step,
  type Workshop,
} from './harness/generated-clients.ts';

/** For downloads and compilers, which may be slow. */
const timeLimit = { timeout: 3_600_000 };

/** With single precision it would be another amount. */
const largeAmount = 1_234_567.89;

const page = read('docs/generated-clients.md');

let workshop: Workshop;
let composer: Record<string, string>;
before(async () => {
  workshop = await openWorkshop();
  composer = await prepareComposer();
}, timeLimit);
after(async () => await workshop?.close());

/** Composer's variables. Its packages are Debian's, where the generated client finds what it requires. */
async function prepareComposer(): Promise<Record<string, string>> {
  const folder = await workshop.folder('composer');
  const find = (name: string) =>
    `php -r 'echo dirname(stream_resolve_include_path("${name}/autoload.php"));'\n`;
  const versionOf = (name: string) => `dpkg-query -W -f '\${Version}' ${name}\n`;
  const ask = async (commands: string) => await workshop.follow([{ commands }], folder);
  const packages = [
    ['guzzlehttp/guzzle', 'GuzzleHttp', 'php-guzzlehttp-guzzle'],
    ['guzzlehttp/psr7', 'GuzzleHttp/Psr7', 'php-guzzlehttp-psr7'],
  ] as const;
  const repositories: object[] = [{ 'packagist.org': false }];
  for (const [name, library, debianPackage] of packages) {
    const version = /^[\d.]+/.exec(await ask(versionOf(debianPackage)))?.[0];
    const dist = { type: 'path', url: await ask(find(library)) };
    const autoload = { files: ['autoload.php'] };
    repositories.push({ type: 'package', package: { name, version, dist, autoload } });
  }
  const text = JSON.stringify({ repositories });
  await workshop.follow([{ file: 'config.json', text }], folder);
  return { COMPOSER_HOME: folder, COMPOSER_ALLOW_SUPERUSER: '1' };
}

/** How each language shows that the whole client compiles, after the commands of its chapter. */
const compilers: Record<string, Step[]> = {
  // Loading a class compiles its file and checks it against its interfaces and parents.
  PHP: [
    {
      file: 'load-all.php',
      text: `<?php
require 'vendor/autoload.php';
$files = new RegexIterator(new RecursiveIteratorIterator(new RecursiveDirectoryIterator('paylink/lib')), '/[.]php$/');
foreach ($files as $file) {
    $name = 'Paylink' . strtr(substr($file, strlen('paylink/lib'), -strlen('.php')), '/', '\\\\');
    if (!class_exists($name) && !interface_exists($name)) exit("$file has no $name\\n");
}
echo iterator_count($files), " files\\n";
`,
    },
    { commands: 'php -d error_reporting=-1 -d display_errors=stderr load-all.php\n' },
  ],
  Go: [{ commands: 'go vet ./...\nls paylink/*.go | wc -l\n' }],
  TypeScript: [{ commands: 'npm run --silent check\ngrep -c "" paylink.d.ts\n' }],
  Python: [
    {
      file: 'import-all.py',
      text: `import importlib, pkgutil, paylink
modules = [module.name for module in pkgutil.walk_packages(paylink.__path__, 'paylink.')]
for module in modules: importlib.import_module(module)
print(len(modules))
`,
    },
    { commands: 'venv/bin/python import-all.py\n' },
  ],
};

/** The smallest number of files, modules or lines of a whole client. */
const leastParts = 150;

/** A client that was made. */
type Client = { folder: string; program: Step; running: Step };

async function make(language: string): Promise<Client & { output: string }> {
  const { making, program, running } = readChapter(page, `## ${language}`);
  const folder = await workshop.folder(language);
  const output = await workshop.follow([...making, program, running], folder, composer);
  return { folder, program, running, output };
}

/** Runs the program of the page with the large amount through the proxy. */
async function runDisturbed({ folder, program, running }: Client, proxy: DisturbingProxy): Promise<string> {
  assert.ok('file' in program);
  const text = program.text.replace(String(amountOfPage), String(largeAmount));
  assert.notEqual(text, program.text);
  return await workshop.follow([{ ...program, text }, running], folder, { PAYLINK_BASE_URL: proxy.url });
}

/** Fails unless repetitions had the key of what they repeat, and all requests the version and no other credential. */
function checkRequests({ seen, refunds }: DisturbingProxy): void {
  const keysOf = (wanted: string) =>
    seen.filter(({ name }) => name === wanted).map(({ headers }) => headers['idempotency-key']);
  const [creations, refundings] = [keysOf('create'), keysOf('refund')];
  assert.ok(creations.length > 1 && refundings.length > 3, `${creations}, ${refundings}`);
  assert.equal(new Set(creations).size, 1);
  assert.equal(new Set(refundings.slice(0, -1)).size, 1);
  assert.notEqual(refundings.at(-1), refundings[0]);
  assert.equal(refunds[0], refunds[1], 'the repetition got the first response');
  for (const { headers } of seen) {
    assert.match(headers.authorization ?? '', /^Bearer pls_test_\w+$/);
    assert.equal(headers['x-api-key'], undefined);
    assert.equal(headers['paylink-version'], newestOf(apiVersions));
  }
}

const clients = new Map<string, Client>();

for (const language of Object.keys(compilers)) {
  test(`the whole ${language} client compiles, and makes and refunds a payment`, timeLimit, async () => {
    const { output, ...client } = await make(language);
    clients.set(language, client);
    await workshop.checkOrder(output, amountOfPage);
    const parts = Number.parseInt(await workshop.follow(compilers[language] ?? [], client.folder), 10);
    assert.ok(parts >= leastParts, `${parts} parts`);
  });

  test(
    `with ${language}, lost responses and later fields cost nothing: one payment of the exact amount, one refund`,
    timeLimit,
    async () => {
      const client = clients.get(language);
      assert.ok(client, 'the client was made');
      // openapi-python-client raises at values that it does not know, as the page says.
      const proxy = await startDisturbingProxy(workshop.paylink.baseUrl, {
        addsValues: language !== 'Python',
      });
      try {
        await workshop.checkOrder(await runDisturbed(client, proxy), largeAmount);
        checkRequests(proxy);
      } finally {
        await proxy.stop();
      }
    },
  );
}

test('the Python client raises ValueError at an unknown value, as the page says', timeLimit, async () => {
  const client = clients.get('Python');
  assert.ok(client, 'the client was made');
  const proxy = await startDisturbingProxy(workshop.paylink.baseUrl);
  try {
    await assert.rejects(runDisturbed(client, proxy), /ValueError: 'later' is not a valid Mode/);
  } finally {
    await proxy.stop();
  }
});

test('without the settings of clients/, the PHP and Go clients do not compile', timeLimit, async () => {
  for (const [language, generator, command, fault] of [
    ['PHP', 'php', 'php -l paylink/lib/Model/Payment.php', /Cannot redeclare .*getPaymentLinkCode/],
    ['Go', 'go', 'cd paylink && go build .', /PaymentLinkCode redeclared/],
  ] as const) {
    const made = clients.get(language);
    assert.ok(made, 'the client was made');
    const folder = await workshop.folder(`bare-${generator}`);
    const commands = `"${made.folder}/generator/bin/openapi-generator-cli" generate -g ${generator} -i "${made.folder}/openapi.json" -o paylink\n`;
    await workshop.follow([{ commands }], folder);
    await assert.rejects(workshop.follow([{ commands: `${command}\n` }], folder), fault, language);
  }
});
