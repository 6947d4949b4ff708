// What a move leaves in the catalogues of the servers has names that follow from the company, so that a repeated command
// finds what a killed one left.

/** The name of the publication, the slot and the subscription by which a company moves. */
export const moveNameOf = (companyId: string): string => `paylink_move_${companyId.slice('co_'.length)}`;

/** The company of such a name; null for any other name. */
export function companyOfMoveName(name: string): string | null {
  const [, tag] = /^paylink_move_([0-9a-hjkmnp-tv-z]{8})$/.exec(name) ?? [];
  return tag === undefined ? null : `co_${tag}`;
}
