// Moves a database in its own process, and kills itself at the wanted point.

import { moveHere } from './move-rig.ts';

const [, , dataDir = '', databaseUrl = '', wanted = '{}'] = process.argv;
const { step, afterMs } = JSON.parse(wanted) as { step?: number; afterMs?: number };
const die = () => process.kill(process.pid, 'SIGKILL');

if (afterMs !== undefined) setTimeout(die, afterMs);
let reached = 0;
await moveHere(dataDir, databaseUrl, {
  onStep: (name) => {
    // Written at once: the process may end here.
    process.stdout.write(`step: ${name}\n`);
    if (reached === step) die();
    reached += 1;
  },
});
