// Starts the fake of a processor, with everything that the rigs of all fakes share.

import type { ProcessorConnection } from '../../../src/processors/processor.ts';
import { pageCustomer } from './customer.ts';
import { newConnection } from './rig.ts';
import { startFake } from './start-fake.ts';

/** The commands that every fake understands. */
type CommonCommand = {
  createForeignCharge?: number;
  forceCapture?: string;
  createExternalRefund?: { attemptId: string; amountMinor: number };
  failExternalRefunds?: string;
};

/** `connection` and `otherConnection` belong to two accounts of the fake at `file`. */
export async function startFakeRig<Command extends object>(
  file: URL,
  connection: ProcessorConnection,
  otherConnection: ProcessorConnection,
) {
  const fake = await startFake(file);
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const command = async (wanted: Command & CommonCommand) => {
    await fake.control({ command: wanted });
  };
  const send = async (wanted: CommonCommand) => await command(wanted as Command & CommonCommand);
  const rig = {
    connection,
    otherConnection,
    sameAccountConnection: newConnection({ ...connection.credentials }, connection.mode),
    cardFor: () => null,
    customer: pageCustomer,
    now,
    advanceMs: async (ms: number) => {
      aheadMs += ms;
      await fake.control({ advanceMs: ms });
    },
    control: fake.control,
    money: fake.money,
    webhooks: fake.webhooks,
    fakeUrl: fake.url,
    createForeignCharge: async (amountMinor: number) => await send({ createForeignCharge: amountMinor }),
    forceCapture: async (attemptId: string) => await send({ forceCapture: attemptId }),
    createExternalRefund: async (attemptId: string, amountMinor: number) =>
      await send({ createExternalRefund: { attemptId, amountMinor } }),
    failExternalRefunds: async (attemptId: string) => await send({ failExternalRefunds: attemptId }),
    stop: fake.stop,
  };
  /** The connection with another value of one credential, which `check` must reject by its field. */
  const withCredential = (field: string, value: string) => ({
    field,
    connection: { ...connection, credentials: { ...connection.credentials, [field]: value } },
  });
  return { fake, command, rig, withCredential };
}
