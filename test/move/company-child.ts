// Imports a company in its own process, and kills itself at the wanted step.

import { openDatabase } from '../../src/db/database.ts';
import { importHere } from './company-rig.ts';

const [, , databaseUrl = '', path = '', wanted = ''] = process.argv;
const db = await openDatabase({ databaseUrl, dataDir: 'unused', log: () => undefined });
await importHere(db, path, {
  onStep: (step) => {
    // Written at once: the process may end here.
    process.stdout.write(`${step}\n`);
    if (step === wanted) process.kill(process.pid, 'SIGKILL');
  },
});
await db.close();
