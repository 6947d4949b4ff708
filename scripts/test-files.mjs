// The test files of the project. The ending of a file's name says which command runs it: `npm test`,
// `npm run test:long` or `npm run campaign`. Must not: list a file for two commands.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PlainFault, root } from './toolchain.mjs';

/**
 * @typedef {'test' | 'long' | 'campaign'} Step
 * @typedef {{ command: string; ending: string; testLimitMs: number; runLimitMinutes: number }} StepRules
 */

/**
 * The limits end a hanging test or run. They leave room for a machine of half the speed that does other work.
 * @type {Record<Step, StepRules>}
 */
export const steps = {
  test: { command: 'npm test', ending: '.test.ts', testLimitMs: 120_000, runLimitMinutes: 40 },
  long: { command: 'npm run test:long', ending: '.long.ts', testLimitMs: 600_000, runLimitMinutes: 60 },
  campaign: {
    command: 'npm run campaign -- NAME',
    ending: '.campaign.ts',
    testLimitMs: 3_600_000,
    runLimitMinutes: 360,
  },
};

export const testFolders = ['src', 'web', 'test', 'bench', 'integrations'];

const stepNames = /** @type {Step[]} */ (Object.keys(steps));

/** The step that runs a file; undefined if it is no test file. */
export function stepOf(/** @type {string} */ file) {
  return stepNames.find((step) => file.endsWith(steps[step].ending));
}

/** @returns {Record<Step, string[]>} every test file by its step, relative to the project's folder */
export function listTestFiles() {
  const files = testFolders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/[\\/](node_modules|dist)([\\/]|$)/.test(entry.parentPath))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
  );
  files.sort();
  const of = (/** @type {Step} */ step) => files.filter((file) => stepOf(file) === step);
  return { test: of('test'), long: of('long'), campaign: of('campaign') };
}

export const campaignName = (/** @type {string} */ file) => path.basename(file, steps.campaign.ending);

/**
 * The files of the named campaigns.
 * @param {string[]} names @param {string[]} files
 * @throws {PlainFault} listing the campaigns, without a name or with an unknown one
 */
export function findCampaigns(names, files) {
  const byName = new Map(files.map((file) => [campaignName(file), file]));
  const unknown = names.filter((name) => !byName.has(name));
  if (names.length > 0 && unknown.length === 0) return names.map((name) => byName.get(name) ?? '');
  const list = files.map((file) => `  ${campaignName(file).padEnd(14)} ${openingSentence(file)}`).join('\n');
  const fault = unknown.length > 0 ? `There is no campaign ${unknown.join(', ')}. ` : '';
  throw new PlainFault(`${fault}Name a campaign, as in \`${steps.campaign.command}\`:\n${list}`);
}

/** The first sentence of a file's opening comment. */
function openingSentence(/** @type {string} */ file) {
  const comment = /^(?:\/\/[^\n]*\n)+/.exec(readFileSync(path.join(root, file), 'utf8'))?.[0] ?? '';
  const text = comment.replaceAll(/^\/\/ ?/gm, '').replaceAll('\n', ' ');
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text.trim();
}

/** Files that take long start first, the longest before all others: none of them is left over at the end of a run. */
const longest = [
  /\/live\.long|planted-faults|browser-processors|restarts|embedded\.long|mixed-versions|every-screen|bank\/large|simulation|release/,
  /interface|migrat|browser|dashboard|docs-run|guide|cli|start|flood|fault|webhook|bank|rotation/,
];

/** A file with its own process: it changes the process, measures it, or replaces modules and clocks. */
const needsProcess =
  /\b(mock|registerHooks|setFlagsFromString|globalThis)\b|(?<!\/)process\.(?!pid|execPath|platform|version)\w/;

/** Files per process: starting a process and loading the service takes longer than what most files test. */
const groupSize = 8;

/**
 * Sorts files into the order in which they start. The files of a group share a process and run one after the other;
 * the files of `npm run test:long` and campaigns share none.
 * @param {readonly string[]} files
 * @returns {string[][]}
 */
export function planFiles(files) {
  /** @type {Map<string, string[]>} */
  const byPlace = new Map();
  for (const file of files) {
    const isAlone = stepOf(file) !== 'test' || needsProcess.test(readFileSync(path.join(root, file), 'utf8'));
    const place = isAlone ? file : folderOf(file);
    byPlace.set(place, [...(byPlace.get(place) ?? []), file]);
  }
  const groups = [...byPlace.values()].flatMap(splitGroup);
  const rankOf = (/** @type {string[]} */ group) => {
    const rank = longest.findIndex((names) => group.some((file) => names.test(file)));
    return rank < 0 ? longest.length : rank;
  };
  return groups.sort((a, b) => rankOf(a) - rankOf(b));
}

/** Test files of one folder load the same modules: of src, web, test, test/bank, test/dashboard … */
const folderOf = (/** @type {string} */ file) => /^(test[\\/])?\w+[\\/]/.exec(file)?.[0] ?? 'test';

/** @param {string[]} files @returns {string[][]} groups of about the same size */
function splitGroup(files) {
  const count = Math.ceil(files.length / groupSize);
  return Array.from({ length: count }, (_, index) => files.filter((_file, at) => at % count === index));
}
