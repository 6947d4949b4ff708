// Verifies that every company is at home in exactly one cell, that the directory agrees, also about addresses, and that no
// move left anything behind. Must not: change anything.

import { findCellOf } from '../cells/directory-store.ts';
import { type CompanyRecord, listRecords } from '../cells/home-store.ts';
import { isLockedByCommand } from '../cells/lock-company.ts';
import { findUnlistedLogins } from '../companies/logins.ts';
import { listCompanyIds } from '../companies/store.ts';
import type { Database } from '../db/database.ts';
import {
  type Cell,
  describeHomeless,
  findSwitch,
  type LostSwitch,
  listOpenCells,
  readPlaces,
} from './find-company.ts';
import { companyOfMoveName } from './move-names.ts';
import { listTablesWithRows } from './remove-rows.ts';
import { type LeftOver, listReplication } from './replication.ts';

/** What a move uses in a cell. */
type Left = LeftOver & { cell: string };

/** One fault, with what to do about it. */
export type CellFinding = {
  companyId: string | null;
  sentence: string;
  /** What an interrupted move left of replication. */
  left?: readonly Left[];
};
export type CellReport = { companies: number; findings: CellFinding[] };

type Known = Map<string, { cell: Cell; record: CompanyRecord }[]>;

async function readRecords(cells: readonly Cell[], wanted: string | null): Promise<Known> {
  const known: Known = new Map();
  for (const cell of cells)
    for (let after = ''; ; ) {
      const page = await listRecords(cell.db.asOwner, after);
      for (const record of page)
        if (wanted === null || record.companyId === wanted)
          known.set(record.companyId, [...(known.get(record.companyId) ?? []), { cell, record }]);
      const last = page.at(-1);
      if (!last) break;
      after = last.companyId;
    }
  return known;
}

const names = (places: readonly { cell: Cell }[]) => places.map(({ cell }) => cell.name).join(' and ');

type Places = readonly { cell: Cell; record: CompanyRecord }[];

/** What an interrupted move of a company left, in one sentence. Null if there was none. */
function describeMove(companyId: string, places: Places, left: readonly Left[]): string | null {
  const home = places.find((place) => place.record.status === 'home');
  const arriving = places.find((place) => place.record.status === 'arriving');
  const isGoneTo = (cell: string | undefined) =>
    places.some((place) => place.record.status === 'gone' && place.record.otherCell === cell);
  const slot = left.find(({ kind }) => kind === 'slot');
  const kept = slot ? ` Until then a replication slot in ${slot.cell} keeps log on disk.` : '';
  const finish = (to: string) => `Finish it: paylink admin cells move ${companyId} ${to}.`;
  if (home && arriving)
    return (
      `Its move to ${arriving.cell.name} was interrupted. ${finish(arriving.cell.name)} ` +
      `Or undo it: paylink admin cells cancel ${companyId}.${kept}`
    );
  const hasSwitched = places.some(
    ({ record: { otherCell, otherTimeline } }) => otherTimeline !== null && otherCell === arriving?.cell.name,
  );
  const to = home ?? (hasSwitched ? arriving : null);
  if (!to || (home && left.length === 0)) return null;
  if (isGoneTo(to.cell.name))
    return `Its move to ${to.cell.name} was interrupted after the switch. ${finish(to.cell.name)}${kept}`;
  const what = left.map(({ kind, cell }) => `a ${kind} in ${cell}`).join(', ');
  return `A move of it left ${what}. Remove that: paylink admin cells cancel ${companyId}.${kept}`;
}

/** What a fail-over after a switch left, in one sentence. */
const describeLost = ({ from, to, decision: { companyId } }: LostSwitch) =>
  `The server of ${to.name} was replaced after the switch, by a standby or a backup that may lack rows. So the company works ` +
  `nowhere. ${from.name} has all rows up to the switch. Take it back: paylink admin cells cancel ${companyId}`;

const describeLeft = (left: readonly Left[]) =>
  left.length === 0
    ? ''
    : ` A move left ${left.map(({ kind, name, cell }) => `the ${kind} ${name} in ${cell}`).join(', ')}.`;

/** The faults of one company. */
async function verifyCompany(
  db: Database,
  companyId: string,
  { places, left }: { places: Places; left: readonly Left[] },
): Promise<CellFinding[]> {
  const fault = (sentence: string): CellFinding => ({ companyId, sentence });
  const homes = places.filter(({ record }) => record.status === 'home');
  const [home] = homes;
  if (homes.length > 1)
    return [
      fault(`It is at home in ${names(homes)}. Stop the service, and see "Two homes" in docs/cells.md.`),
    ];
  if (!home) {
    const known = places.map((place) => ({ ...place.cell, record: place.record }));
    const { lost } = await findSwitch(listOpenCells(db), known);
    if (lost) return [{ companyId, sentence: describeLost(lost), left }];
  }
  const sentence = describeMove(companyId, places, left);
  const move = sentence === null ? [] : [{ companyId, sentence, left }];
  if (!home)
    return move.length > 0
      ? move
      : [fault(`It is ${describeHomeless(places.map(({ cell }) => cell))}${describeLeft(left)}`)];
  const faults: CellFinding[] = [...move];
  const hint = await db.inSystem(async (tx) => await findCellOf(tx, companyId));
  const again = `paylink admin cells move ${companyId} ${home.cell.name}`;
  if (hint !== home.cell.name)
    faults.push(
      fault(`The directory names the cell ${hint ?? 'none'}, and it is in ${home.cell.name}: ${again}`),
    );
  if (move.length > 0) return faults;
  for (const place of places.filter((each) => each !== home))
    if ((await listTablesWithRows(place.cell, companyId)).length > 0)
      faults.push(
        fault(`Its rows in ${place.cell.name}, where it is not at home, were not all removed: ${again}`),
      );
  return faults;
}

/** The faults of one company; null while a command works on it. */
async function verifyUnmoved(
  db: Database,
  companyId: string,
  { places, mayHaveLeft }: { places: Places; mayHaveLeft: boolean },
): Promise<CellFinding[] | null> {
  const cells = listOpenCells(db);
  const readLeft = async () =>
    (await listAllLeft(cells)).filter(({ name }) => companyOfMoveName(name) === companyId);
  const left = mayHaveLeft ? await readLeft() : [];
  if (await isLockedByCommand(db, companyId)) return null;
  const found = await verifyCompany(db, companyId, { places, left });
  if (found.length === 0) return found;
  // The places were read before, one cell after another: a move may have ended meanwhile.
  const now = (await readPlaces(cells, companyId)).map(({ record, ...cell }) => ({ cell, record }));
  const stillLeft = await readLeft();
  if (await isLockedByCommand(db, companyId)) return null;
  return await verifyCompany(db, companyId, { places: now, left: stillLeft });
}

/** Companies with rows in a cell that says nothing about them: nobody can use them. */
async function findHomeless(cell: Cell, known: Known): Promise<CellFinding[]> {
  const findings: CellFinding[] = [];
  for (let after = ''; ; ) {
    const page = await cell.db.inSystem(async (tx) => await listCompanyIds(tx, after, 500));
    for (const companyId of page)
      if (!known.get(companyId)?.some((place) => place.cell === cell))
        findings.push({
          companyId,
          sentence: `It has rows in ${cell.name}, which does not know it. Restore the table company_homes of this cell.`,
        });
    const last = page.at(-1);
    if (last === undefined) return findings;
    after = last;
  }
}

/** Addresses of a cell with which nobody can log in, or which a second account can get. One finding, however many there are. */
async function verifyAddresses(db: Database, cell: Cell, wanted: string | null): Promise<CellFinding[]> {
  let count = 0;
  let example = '';
  for await (const page of findUnlistedLogins(db, cell.db, wanted)) {
    count += page.length;
    example ||= page[0]?.login.email ?? '';
  }
  if (count === 0) return [];
  const sentence =
    `The directory lacks addresses of accounts in ${cell.name}, or gives them to other accounts: ${count}, such as ` +
    `${example}. Correct them: paylink admin cells add ${cell.name}`;
  return [{ companyId: wanted, sentence }];
}

async function listAllLeft(cells: readonly Cell[]): Promise<Left[]> {
  const left: Left[] = [];
  for (const { name: cell, db } of cells)
    left.push(...(await listReplication(db.asOwner)).map((each) => ({ ...each, cell })));
  return left;
}

/** What moves left that belongs to no company that a cell knows. The slot of the copy of one table does not say whose it is. */
async function findOrphans(db: Database, left: readonly Left[], known: Known): Promise<CellFinding[]> {
  const findings: CellFinding[] = [];
  for (const each of left) {
    const companyId = companyOfMoveName(each.name);
    if (companyId !== null && (known.has(companyId) || (await isLockedByCommand(db, companyId)))) continue;
    const whose = companyId === null ? 'a move' : 'the move of a company that no cell knows';
    const kept = each.kind === 'slot' ? ' It keeps log on disk.' : '';
    const unless = companyId === null ? ', unless another replication uses it' : '';
    findings.push({
      companyId,
      sentence: `The ${each.kind} ${each.name} in ${each.cell} was left by ${whose}.${kept} Drop it by hand${unless}.`,
      left: [each],
    });
  }
  return findings;
}

/** Verifies all companies, or one. Companies that are being moved now are left out. */
export async function verifyCells(db: Database, wanted: string | null): Promise<CellReport> {
  const cells = listOpenCells(db);
  const known = await readRecords(cells, wanted);
  const allLeft = await listAllLeft(cells);
  const findings: CellFinding[] = [];
  let isMoving = false;
  for (const [companyId, places] of known) {
    const mayHaveLeft = allLeft.some(({ name }) => companyOfMoveName(name) === companyId);
    const found = await verifyUnmoved(db, companyId, { places, mayHaveLeft });
    if (found) findings.push(...found);
    else isMoving = true;
  }
  if (wanted !== null && known.size === 0)
    findings.push({ companyId: wanted, sentence: 'No cell knows it. Correct the ID.' });
  for (const cell of cells) {
    if (wanted === null) findings.push(...(await findHomeless(cell, known)));
    findings.push(...(await verifyAddresses(db, cell, wanted)));
  }
  // The slots of copies are those of an interrupted move, and go with it.
  const isSlotOfMove = isMoving || findings.some(({ left }) => left !== undefined);
  const still = new Set((await listAllLeft(cells)).map(({ name }) => name));
  const orphans = allLeft.filter(
    ({ name }) => still.has(name) && (companyOfMoveName(name) !== null || !isSlotOfMove),
  );
  const found = await findOrphans(db, orphans, known);
  findings.push(...found.filter(({ companyId }) => wanted === null || companyId === wanted));
  return { companies: known.size, findings };
}
