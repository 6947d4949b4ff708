// Verifies that every company is at home in exactly one cell, that the directory agrees, also about addresses, and that no
// move left anything behind. Must not: change anything.

import { findCellOf } from '../cells/directory-store.ts';
import { type CompanyHome, listHomes } from '../cells/home-store.ts';
import { isLockedByCommand } from '../cells/lock-company.ts';
import { findUnlistedLogins } from '../companies/logins.ts';
import { listCompanyIds } from '../companies/store.ts';
import type { Database } from '../db/database.ts';
import { type Cell, listOpenCells } from './find-company.ts';
import { companyOfMoveName } from './move-names.ts';
import { listTablesWithRows } from './remove-rows.ts';
import { listReplication } from './replication.ts';

/** One fault, with what to do about it. */
export type CellFinding = { companyId: string | null; sentence: string };
export type CellReport = { companies: number; findings: CellFinding[] };

type Known = Map<string, { cell: Cell; home: CompanyHome }[]>;

async function readHomes(cells: readonly Cell[], wanted: string | null): Promise<Known> {
  const known: Known = new Map();
  for (const cell of cells)
    for (let after = ''; ; ) {
      const page = await listHomes(cell.db.asOwner, after);
      for (const home of page)
        if (wanted === null || home.companyId === wanted)
          known.set(home.companyId, [...(known.get(home.companyId) ?? []), { cell, home }]);
      const last = page.at(-1);
      if (!last) break;
      after = last.companyId;
    }
  return known;
}

const names = (places: readonly { cell: Cell }[]) => places.map(({ cell }) => cell.name).join(' and ');

/** The faults of one company. */
async function verifyCompany(
  db: Database,
  companyId: string,
  places: readonly { cell: Cell; home: CompanyHome }[],
): Promise<string[]> {
  const homes = places.filter(({ home }) => home.status === 'home');
  const [home] = homes;
  if (homes.length > 1)
    return [`It is at home in ${names(homes)}. Stop the service, and see "Two homes" in docs/cells.md.`];
  if (!home) {
    const arriving = places.find((place) => place.home.status === 'arriving');
    const hasLeft = places.some(
      (place) => place.home.status === 'gone' && place.home.otherCell === arriving?.cell.name,
    );
    return [
      arriving && hasLeft
        ? `Its move to ${arriving.cell.name} has switched and is not finished: paylink admin cells move ${companyId} ${arriving.cell.name}`
        : `It is at home in no cell (known in ${names(places)}). If its import or its removal was interrupted, run that again; ` +
          'otherwise restore the cell that it was in last.',
    ];
  }
  const faults: string[] = [];
  const hint = await db.inSystem(async (tx) => await findCellOf(tx, companyId));
  const again = `paylink admin cells move ${companyId} ${home.cell.name}`;
  if (hint !== home.cell.name)
    faults.push(`The directory names the cell ${hint ?? 'none'}, and it is in ${home.cell.name}: ${again}`);
  for (const place of places.filter((each) => each !== home)) {
    if (place.home.status === 'arriving')
      faults.push(
        `Its move to ${place.cell.name} was interrupted. Run it again, or undo it: paylink admin cells cancel ${companyId}`,
      );
    else if ((await listTablesWithRows(place.cell, companyId)).length > 0)
      faults.push(`Its rows in ${place.cell.name}, from where it has moved, were not all removed: ${again}`);
  }
  return faults;
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

/** What moves use in a cell although no command moves that company. */
async function findLeftOvers(db: Database, cell: Cell, moving: ReadonlySet<string>): Promise<CellFinding[]> {
  const findings: CellFinding[] = [];
  for (const { kind, name } of await listReplication(cell.db.asOwner)) {
    const companyId = companyOfMoveName(name);
    if (companyId !== null && (moving.has(companyId) || (await isLockedByCommand(db, companyId)))) continue;
    // The slot of the copy of one table does not say whose it is.
    if (companyId === null && moving.size > 0) continue;
    const remedy =
      companyId === null
        ? `drop the slot by pg_drop_replication_slot in ${cell.name}`
        : `paylink admin cells cancel ${companyId}`;
    findings.push({
      companyId,
      sentence: `The ${kind} ${name} in ${cell.name} was left by a move. A slot keeps log on disk. Remove it: ${remedy}`,
    });
  }
  return findings;
}

/** Verifies all companies, or one. Companies that are being moved now are left out. */
export async function verifyCells(db: Database, wanted: string | null): Promise<CellReport> {
  const cells = listOpenCells(db);
  const known = await readHomes(cells, wanted);
  const findings: CellFinding[] = [];
  const moving = new Set<string>();
  for (const [companyId, places] of known) {
    if (await isLockedByCommand(db, companyId)) {
      moving.add(companyId);
      continue;
    }
    const faults = await verifyCompany(db, companyId, places);
    findings.push(...faults.map((sentence) => ({ companyId, sentence })));
  }
  if (wanted !== null && known.size === 0)
    findings.push({ companyId: wanted, sentence: 'No cell knows it. Correct the ID.' });
  for (const cell of cells) {
    if (wanted === null) findings.push(...(await findHomeless(cell, known)));
    findings.push(...(await verifyAddresses(db, cell, wanted)));
    const left = await findLeftOvers(db, cell, moving);
    findings.push(...left.filter(({ companyId }) => wanted === null || companyId === wanted));
  }
  return { companies: known.size, findings };
}
