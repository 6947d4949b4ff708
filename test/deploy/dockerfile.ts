// Reads the few instructions of our Dockerfile that a test runs.

import assert from 'node:assert/strict';

/** An instruction that changes files. `from` is the stage that has the sources; null: the repository. */
export type Step =
  | { kind: 'copy'; from: string | null; sources: string[]; target: string }
  | { kind: 'run'; command: string };

export type Stage = { name: string; steps: Step[] };

const ignored = /^(ARG|WORKDIR|ENV|USER|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD) /;

function readStep(line: string): Step | null {
  const [, from = null, names = ''] = /^COPY (?:--from=(\w+) )?(.+)$/.exec(line) ?? [];
  if (names !== '') {
    const sources = names.split(' ');
    return { kind: 'copy', from, target: sources.pop() ?? '', sources };
  }
  const command = /^RUN (.+)$/s.exec(line)?.[1];
  if (command !== undefined) return { kind: 'run', command };
  assert.match(line, ignored, 'the tests know every instruction');
  return null;
}

/** The stages of a Dockerfile in order. Fails at an instruction that it does not know. */
export function readStages(text: string): Stage[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n */g, '')
    .split('\n')
    .filter((line) => line !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const name = /^FROM \S+(?: AS (\w+))?$/.exec(line);
    if (name) stages.push({ name: name[1] ?? 'image', steps: [] });
    const step = name ? null : readStep(line);
    if (step) stages.at(-1)?.steps.push(step);
  }
  return stages;
}
