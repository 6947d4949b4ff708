// Moves a database in its own process, and kills itself at the wanted point.

import { moveHere } from './move-rig.ts';

const [, , dataDir = '', databaseUrl = '', wanted = '{}'] = process.argv;
const { step, afterMs } = JSON.parse(wanted) as { step?: string; afterMs?: number };
const die = () => process.kill(process.pid, 'SIGKILL');

if (afterMs !== undefined) setTimeout(die, afterMs);
await moveHere(dataDir, databaseUrl, {
  onStep: (name) => {
    // Written at once: the process may end here.
    const line = `step: ${name}`;
    process.stdout.write(`${line}\n`);
    if (line === step) die();
  },
});
