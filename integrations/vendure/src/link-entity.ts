// The table of links that the plugin adds to the shop's database: which link belongs to which order, and whether its payment
// is recorded. The unique code is what prevents a second payment in Vendure for one payment link.

import { type DeepPartial, EntityId, type ID, VendureEntity } from '@vendure/core';
import { Column, Entity, Index } from 'typeorm';

export type LinkState =
  /** The customer may pay it. */
  | 'open'
  /** Its payment is in Vendure. */
  | 'recorded'
  /** It cannot be paid any more, or its money was sent back. */
  | 'ended';

@Entity()
export class PaylinkLink extends VendureEntity {
  /** Public, as the plugin must list a class that can be created: the inherited one is protected. */
  constructor(input: DeepPartial<PaylinkLink> = {}) {
    super(input);
  }

  @Index({ unique: true })
  @Column({ type: 'varchar', length: 64 })
  code!: string;

  @Index()
  @EntityId()
  orderId!: ID;

  @Column({ type: 'varchar', length: 16 })
  state!: LinkState;

  /** The refunds that were recorded: it makes the idempotency key of the next one. */
  @Column({ type: 'int', default: 0 })
  refundCount!: number;
}
