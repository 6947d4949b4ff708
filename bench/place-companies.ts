// Simulates companies of very different size on many cells: where they are placed, how they grow, and which are moved so that
// no cell is too full. The same seed gives the same result. Must not: place a company in another way than the service does.

import { chooseByWeight } from '../src/cells/place-company.ts';
import { median } from './figures.ts';

export type PlacementPlan = {
  companies: number;
  cells: number;
  /** How unequal companies are: the k-th largest has a size of 1/k to this power (Zipf's law). */
  exponent: number;
  years: number;
  seed: number;
};

/** Loads are relative to the mean cell: 1 is what every cell would have if all were equal. */
export type Spread = { fullest: number; emptiest: number };

export type Placement = {
  /** The largest company alone: no cell that has it can have less. */
  largest: number;
  /** If no company is ever moved. */
  unmoved: Spread;
  relieved: Spread;
  /** How full the fullest cell then is, relative to the mean cell or to its own largest company. */
  worstFilling: number;
  /** How many companies were moved in all years, and how much, relative to the load of all cells at the end. */
  moves: number;
  movedShare: number;
};

export type PlacedCompany = { load: number; cell: number };

/** A cell is relieved above this, relative to the mean cell, or to its own largest company if that is more. */
export const fullAt = 1.25;
/** How much the growth of companies differs in a year: the standard deviation of its logarithm. */
const growthSpread = 0.4;
const meanGrowth = 0.2;

/** Pseudo-random numbers from 0 to below 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number of the normal distribution, by the method of Box and Muller. */
function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function shuffle<T>(all: T[], random: () => number): T[] {
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [all[last], all[other]] = [all[other] as T, all[last] as T];
  }
  return all;
}

function loadsOf(companies: readonly PlacedCompany[], cells: number): number[] {
  const loads = new Array<number>(cells).fill(0);
  for (const { load, cell } of companies) loads[cell] = (loads[cell] ?? 0) + load;
  return loads;
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

/** How full each cell is, relative to the mean cell, or to its own largest company if that is more. */
function fillingsOf(companies: readonly PlacedCompany[], cells: number): number[] {
  const loads = loadsOf(companies, cells);
  const largest = new Array<number>(cells).fill(sumOf(loads) / cells);
  for (const { load, cell } of companies) largest[cell] = Math.max(largest[cell] ?? 0, load);
  return loads.map((load, cell) => load / (largest[cell] ?? 1));
}

/**
 * Moves companies from the cell that is too full to the emptiest, until none is: each time the largest that does not make
 * the emptiest fuller than the other becomes. Returns the loads that were moved.
 */
export function relieve(companies: readonly PlacedCompany[], cells: number): number[] {
  const moved: number[] = [];
  for (;;) {
    const fillings = fillingsOf(companies, cells);
    const worst = Math.max(...fillings);
    if (worst <= fullAt) return moved;
    const full = fillings.indexOf(worst);
    const loads = loadsOf(companies, cells);
    const emptiest = loads.indexOf(Math.min(...loads));
    const room = ((loads[full] ?? 0) - (loads[emptiest] ?? 0)) / 2;
    const fitting = companies.filter(({ load, cell }) => cell === full && load <= room);
    const next = fitting.sort((a, b) => b.load - a.load)[0];
    if (!next) return moved;
    next.cell = emptiest;
    moved.push(next.load);
  }
}

function spreadOf(companies: readonly PlacedCompany[], cells: number): Spread {
  const loads = loadsOf(companies, cells);
  const mean = sumOf(loads) / cells;
  return { fullest: Math.max(...loads) / mean, emptiest: Math.min(...loads) / mean };
}

/** Runs the years once: the same companies come and grow, whether any is moved or not. */
function runYears(plan: PlacementPlan, isRelieved: boolean) {
  const random = createRandom(plan.seed);
  const cells = Array.from({ length: plan.cells }, (_, cell) => ({ cell, weight: 100 }));
  const sizes = Array.from({ length: plan.companies }, (_, place) => 1 / (place + 1) ** plan.exponent);
  const arriving = shuffle(sizes, random);
  const companies: PlacedCompany[] = [];
  const moved: number[] = [];
  for (let year = 1; year <= plan.years; year++) {
    for (const company of companies) company.load *= Math.exp(meanGrowth + growthSpread * drawNormal(random));
    const count = Math.round((plan.companies * year) / plan.years);
    for (const load of arriving.slice(companies.length, count)) {
      const chosen = chooseByWeight(cells, (below) => Math.floor(random() * below));
      companies.push({ load, cell: chosen?.cell ?? 0 });
    }
    if (isRelieved) moved.push(...relieve(companies, plan.cells));
  }
  return { companies, moved };
}

/** One simulation, with and without moves. */
export function simulatePlacement(plan: PlacementPlan): Placement {
  const unmoved = runYears(plan, false);
  const relieved = runYears(plan, true);
  const loads = relieved.companies.map(({ load }) => load);
  return {
    largest: Math.max(...loads) / (sumOf(loads) / plan.cells),
    unmoved: spreadOf(unmoved.companies, plan.cells),
    relieved: spreadOf(relieved.companies, plan.cells),
    worstFilling: Math.max(...fillingsOf(relieved.companies, plan.cells)),
    moves: relieved.moved.length,
    movedShare: sumOf(relieved.moved) / sumOf(loads),
  };
}

/** Medians of many simulations, and the worst. */
export type PlacementFigures = {
  exponent: number;
  median: Placement;
  worst: { largest: number; unmoved: number; relieved: number; worstFilling: number; moves: number };
};

const seeds = 50;
const plan = { companies: 1_000, cells: 16, years: 10 } as const;

/** 1,000 companies on 16 cells, from nearly equal to very different sizes. */
export function simulatePlacements(): PlacementFigures[] {
  return [0.6, 0.8, 1, 1.2].map((exponent) => {
    const runs = Array.from({ length: seeds }, (_, seed) => simulatePlacement({ ...plan, exponent, seed }));
    const middle = (of: (run: Placement) => number) => median(runs.map(of));
    const most = (of: (run: Placement) => number) => Math.max(...runs.map(of));
    return {
      exponent,
      median: {
        largest: middle(({ largest }) => largest),
        unmoved: {
          fullest: middle(({ unmoved }) => unmoved.fullest),
          emptiest: middle(({ unmoved }) => unmoved.emptiest),
        },
        relieved: {
          fullest: middle(({ relieved }) => relieved.fullest),
          emptiest: middle(({ relieved }) => relieved.emptiest),
        },
        worstFilling: middle(({ worstFilling }) => worstFilling),
        moves: middle(({ moves }) => moves),
        movedShare: middle(({ movedShare }) => movedShare),
      },
      worst: {
        largest: most(({ largest }) => largest),
        unmoved: most(({ unmoved }) => unmoved.fullest),
        relieved: most(({ relieved }) => relieved.fullest),
        worstFilling: most(({ worstFilling }) => worstFilling),
        moves: most(({ moves }) => moves),
      },
    };
  });
}
