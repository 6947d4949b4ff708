// A first start as a new user does it, whose printed commands were run, and starts on copies of its folder.

import assert from 'node:assert/strict';
import { orderOf, post } from './client.ts';
import { type ProcessGroup, runInShell, type ServiceProcess, stopRun } from './process.ts';

export const statusOf = async (url: string) => (await fetch(url)).status;

/** The values that a first start prints. */
export function readPrinted(text: string) {
  const find = (pattern: RegExp) =>
    pattern.exec(text)?.[1] ?? assert.fail(`nothing like ${pattern} in ${text}`);
  const curls = text.split('\n').filter((line) => line.startsWith('curl '));
  return {
    address: find(/^Paylink is ready: (\S+)$/m),
    email: find(/^ +Email +(\S+)$/m),
    password: find(/^ +Password +(\S+) +\(shown this once\)$/m),
    link: find(/^ +(http:\S+\/pay\/\S+)$/m),
    curls,
    token: find(/Bearer ([\w.-]+)/),
    apiKey: find(/X-API-KEY: ([\w-]+)/),
    companyId: find(/X-COMPANY-ID: (\w+)/),
  };
}
type Printed = ReturnType<typeof readPrinted>;

/** Runs a printed curl command. */
export function paste(line: string) {
  const [head = '', body = ''] = runInShell(line).split('\r\n\r\n');
  return { head, body: JSON.parse(body) as Record<string, unknown> };
}

type First = {
  run: ServiceProcess;
  printed: Printed;
  login: ReturnType<typeof paste>;
  process: ReturnType<typeof paste>;
  linkStatus: number;
  readiness: [number, unknown];
};

/** Starts once, when a test first needs it. Later tests use copies of its folder. */
export function createFirstStart(stage: ProcessGroup) {
  let first: Promise<First> | undefined;
  const firstStart = (): Promise<First> => {
    first ??= (async () => {
      const run = await stage.start();
      await run.ready();
      const printed = readPrinted(run.stdout());
      const readyz = await fetch(`${run.url}/readyz`);
      const readiness: First['readiness'] = [readyz.status, await readyz.json()];
      const [login = '', process = ''] = printed.curls;
      const made = { login: paste(login), process: paste(process), linkStatus: await statusOf(printed.link) };
      assert.deepEqual(await stopRun(run), { code: 0, signal: null });
      return { run, printed, readiness, ...made };
    })();
    return first;
  };

  /** Starts on a copy of that folder. */
  const startAgain = async (options: { through?: 'launcher' | 'npm' } = {}) => {
    const { run, printed } = await firstStart();
    // Links and tokens contain the address; BASE_URL keeps it while the port changes.
    const again = await stage.start({
      ...options,
      dataDir: await stage.copyOf(run.dataDir),
      settings: { BASE_URL: run.url },
    });
    await again.ready();
    const linkHere = `${again.url}${new URL(printed.link).pathname}`;
    return { run: again, printed, linkHere };
  };
  return { firstStart, startAgain };
}

/** Creates a link with the printed credentials. */
export function ask(run: ServiceProcess, printed: Printed) {
  const headers = {
    authorization: `Bearer ${printed.token}`,
    'x-api-key': printed.apiKey,
    'x-company-id': printed.companyId,
  };
  return post(`${run.url}/v1/payment/process`, orderOf(), headers);
}
