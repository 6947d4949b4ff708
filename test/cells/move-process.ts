// The command that moves a company, in a process of its own that kills itself at a step. Its arguments are a company, a cell
// and a step; without a step it ends by itself. DATABASE_URLS names the cells.

import { moveCompany } from '../../src/cell-moves/move-company.ts';
import { readConfig } from '../../src/config.ts';
import { workInNewCell } from '../../src/work-in-new-cell.ts';
import { openAsCommand } from './move-rig.ts';

const [companyId = '', to = '', killedAt = ''] = process.argv.slice(2);
const settings = {
  DATABASE_URLS: process.env.DATABASE_URLS ?? '',
  PAYLINK_MASTER_KEY: process.env.PAYLINK_MASTER_KEY ?? '',
};
const { cells } = readConfig({ ...settings });
const db = await openAsCommand(settings);
await moveCompany(
  {
    ...{ db, work: workInNewCell, freezeLimitMs: 5_000 },
    addressOf: (name) => cells?.find((cell) => cell.name === name)?.url ?? '',
    log: () => undefined,
    onStep: (step) => {
      if (step === killedAt) process.kill(process.pid, 'SIGKILL');
    },
  },
  { companyId, to },
);
await db.close();
