// The table of all commands, in the order of the help. Parsing, help, completion and the docs' test read it.

import { adminCommands } from './admin.ts';
import { bankCommands } from './bank.ts';
import type { Command } from './command.ts';
import { completionCommand } from './completion.ts';
import { doctorCommands } from './doctor.ts';
import { eventCommands } from './events.ts';
import { fixtureCommands } from './fixtures.ts';
import { jobCommands } from './jobs.ts';
import { keyCommands } from './keys.ts';
import { listenCommands } from './listen.ts';
import { loginCommands } from './login.ts';
import { logCommands } from './logs.ts';
import { mcpCommands } from './mcp.ts';
import { openCommands } from './open.ts';
import { paymentCommands } from './payments.ts';
import { processorCommands } from './processors.ts';
import { rawCommands } from './raw.ts';
import { refundCommands } from './refunds.ts';
import { restoreCommands } from './restore.ts';
import { statusCommands } from './status.ts';
import { triggerCommands } from './trigger.ts';
import { verifyCommands } from './verify.ts';
import { webhookCommands } from './webhooks.ts';

export const commands: readonly Command[] = [
  ...loginCommands,
  ...paymentCommands,
  ...refundCommands,
  ...eventCommands,
  ...logCommands,
  ...listenCommands,
  ...triggerCommands,
  ...webhookCommands,
  ...bankCommands,
  ...keyCommands,
  ...processorCommands,
  ...rawCommands,
  ...fixtureCommands,
  ...openCommands,
  ...mcpCommands,
  ...statusCommands,
  ...verifyCommands,
  ...jobCommands,
  ...adminCommands,
  ...restoreCommands,
  ...doctorCommands,
  completionCommand(() => commands),
];
