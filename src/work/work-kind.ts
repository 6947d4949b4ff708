// What a kind of due work tells the worker: where its work is, how to claim it, and how to do it.

import type { CommitNotification, Database, SystemTx } from '../db/database.ts';
import type { FindNextDue, Lane } from './due-rows.ts';

/** Maximum of items in progress in this process: in a new lane, in a lane that works, in total, in all failing lanes. */
export type LaneLimits = {
  perNew: number;
  perLane: number;
  total: number;
  failingTotal: number;
  /**
   * How many places of a busy lane have to be free before it claims again, half of them at most; 1 by default. A claim
   * costs a transaction, so it should be of many where items wait in the process anyway.
   */
  leastClaim?: number;
};

export type WorkKind<Item> = {
  name: string;
  limits: LaneLimits;
  /** Whether a failing lane waits for the next poll after each item, so that its target is asked once a second at most. */
  pausesFailing?: boolean;
  /** What of a commit may make work of this kind due, and the least time between the polls that follow. */
  wakesOn?: { notifications: readonly CommitNotification[]; minPollMs: number };
  /** The lanes with due work; of certain companies, or of all. It runs one statement. */
  listLanes(tx: SystemTx, companyIds: readonly string[] | null): Promise<Lane[]>;
  /** Claims due items of a lane, `limit` at most. */
  claim(lane: Lane, limit: number): Promise<Item[]>;
  /** When the next waiting item of a company in a mode is due; unset for a kind that test clocks do not move. */
  findNextDue?: FindNextDue;
  /** Does an item and records its result. False if its target failed. If it rejects, the item's lease runs out. */
  run(item: Item): Promise<boolean>;
  /** Ends at once what it can: the worker stops. */
  close?(): void;
};

/** All kinds of due work of a database. */
export type KindsOf = (db: Database) => readonly WorkKind<never>[];

/** A run of an item, for metrics. */
export type RunReport = { kind: string; isOk: boolean; tookMs: number };
