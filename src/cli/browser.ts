// Opens an address in the browser of whoever sits there. It must never pass an address through a shell,
// nor open anything but http and https.

import { spawn } from 'node:child_process';
import type { Environment } from './fault.ts';

/** Programs that open an address, by platform. */
const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  // `start` is a word of the shell; this does the same without one.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** A starter that has not failed by then has started something. */
const startWithinMs = 3_000;

/** Whether a browser was started. */
export async function openInBrowser(link: string, env: Environment): Promise<boolean> {
  if (!URL.canParse(link) || !/^https?:$/.test(new URL(link).protocol)) return false;
  const [file = '', ...args] = env.BROWSER ? [env.BROWSER] : (openers[process.platform] ?? ['xdg-open']);
  return await new Promise((resolve) => {
    const child = spawn(file, [...args, link], { stdio: 'ignore', detached: true });
    const timer = setTimeout(() => resolve(true), startWithinMs);
    const end = (isOpened: boolean) => {
      clearTimeout(timer);
      resolve(isOpened);
    };
    child.once('error', () => end(false));
    child.once('exit', (code) => end(code === 0));
    child.unref();
  });
}
