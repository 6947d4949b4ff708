// Opens a URL in the user's browser. Must not: pass the URL through a shell, or open any scheme but http and https.

import { spawn } from 'node:child_process';
import type { Environment } from './command-error.ts';

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  // `start` needs a shell. This program does not.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** A program that has not failed within this time counts as started. */
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
