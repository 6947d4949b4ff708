// The table of all commands, in the order of the help. Parsing, help, completion and the docs' test read it.

import { adminCommands } from './admin.ts';
import { bankCommands } from './bank.ts';
import type { Command } from './command.ts';
import { completionCommand } from './completion.ts';
import { doctorCommands } from './doctor.ts';
import { eventCommands } from './events.ts';
import { jobCommands } from './jobs.ts';
import { keyCommands } from './keys.ts';
import { listenCommands } from './listen.ts';
import { loginCommands } from './login.ts';
import { payCommands } from './pay.ts';
import { processorCommands } from './processors.ts';
import { restoreCommands } from './restore.ts';
import { statusCommands } from './status.ts';
import { triggerCommands } from './trigger.ts';
import { verifyCommands } from './verify.ts';

export const commands: readonly Command[] = [
  ...loginCommands,
  ...payCommands,
  ...eventCommands,
  ...listenCommands,
  ...triggerCommands,
  ...bankCommands,
  ...keyCommands,
  ...processorCommands,
  ...statusCommands,
  ...verifyCommands,
  ...jobCommands,
  ...adminCommands,
  ...restoreCommands,
  ...doctorCommands,
  completionCommand(() => commands),
];
