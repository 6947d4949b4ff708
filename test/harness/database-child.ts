// A child process to kill or to compete with. Arguments: the action, a data folder or a server address, parameters.

import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';

const [task, where = '', argument = ''] = process.argv.slice(2);
const print = (text: string) => process.stdout.write(`${text}\n`);
const target = /^postgres(ql)?:/.test(where) ? { databaseUrl: where, dataDir: 'unused' } : { dataDir: where };

try {
  const db = await openDatabase({ ...target, log: print });
  print('open');
  if (task === 'hold') {
    setInterval(() => undefined, 60_000);
  } else if (task === 'write') {
    // Prints the number of a row, starting at `argument`, once its commit is acknowledged.
    for (let noteId = Number(argument); ; noteId++) {
      await db.inCompany('co_writer', async (tx) => {
        await tx.query('insert into notes values ($1, $2, $3)', [tx.companyId, noteId, 'x'.repeat(500)]);
      });
      print(`row ${noteId}.`);
    }
  } else if (task === 'migrate') {
    const { applied } = await migrate(db, { dir: argument, log: () => undefined });
    print(`applied ${JSON.stringify(applied)}`);
    await db.close();
  } else {
    await db.close();
  }
} catch (error) {
  print(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
