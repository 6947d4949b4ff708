// What a person may do with the members of a company, by the rules of the API: only an owner may add or remove owners,
// and a company always has one. Forbidden actions are not offered. The API decides.

const roleNames = ['owner', 'admin', 'developer', 'support', 'viewer'] as const;
export type RoleName = (typeof roleNames)[number];

type MemberRoles = { accountId: string; roles: readonly string[] };

/** The roles that a person may give. */
export function rolesToGive(me: Pick<MemberRoles, 'roles'>): readonly RoleName[] {
  return me.roles.includes('owner') ? roleNames : roleNames.filter((role) => role !== 'owner');
}

/** Whether a person may change the roles of a member, or remove them. */
export function mayChange(me: MemberRoles, member: MemberRoles): boolean {
  return me.roles.includes('owner') || !member.roles.includes('owner');
}

/** Whether a member is the only owner; false until all members are loaded. */
export function isOnlyOwner(
  member: MemberRoles,
  { members, isComplete }: { members: readonly MemberRoles[]; isComplete: boolean },
): boolean {
  if (!isComplete || !member.roles.includes('owner')) return false;
  return members.every(({ accountId, roles }) => accountId === member.accountId || !roles.includes('owner'));
}

/** The known roles, ordered by their rights. */
export function sortRoles(roles: readonly string[]): RoleName[] {
  return roleNames.filter((role) => roles.includes(role));
}
