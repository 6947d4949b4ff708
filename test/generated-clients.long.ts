// Clients for TypeScript and Python, generated as docs/generated-clients.md says, make and refund a payment. The campaign
// adds PHP and Go, and disturbances.

import { after, before, test } from 'node:test';
import { read } from './harness/documents.ts';
import { amountOfPage, openWorkshop, readChapter, type Workshop } from './harness/generated-clients.ts';

/** For downloads, which may be slow. */
const timeLimit = { timeout: 880_000 };

const page = read('docs/generated-clients.md');

let workshop: Workshop;
before(async () => {
  workshop = await openWorkshop();
}, timeLimit);
after(async () => await workshop?.close());

for (const language of ['TypeScript', 'Python'])
  test(
    `the chapter on ${language} of docs/generated-clients.md ends with a payment that is paid and refunded`,
    timeLimit,
    async () => {
      const { making, program, running } = readChapter(page, `## ${language}`);
      const folder = await workshop.folder(language);
      await workshop.checkOrder(await workshop.follow([...making, program, running], folder), amountOfPage);
    },
  );
