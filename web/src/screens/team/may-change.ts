// What a person may do with the members of a company, by the rules that the API holds: only an owner makes and unmakes
// owners, and a company always keeps one. What is not allowed is not offered; the API has the last word.

const roleNames = ['owner', 'admin', 'developer', 'support', 'viewer'] as const;
export type RoleName = (typeof roleNames)[number];

type MemberRoles = { accountId: string; roles: readonly string[] };

/** Which roles a person may give. */
export function rolesToGive(me: Pick<MemberRoles, 'roles'>): readonly RoleName[] {
  return me.roles.includes('owner') ? roleNames : roleNames.filter((role) => role !== 'owner');
}

/** Whether a person may give a member other roles, or remove them. */
export function mayChange(me: MemberRoles, member: MemberRoles): boolean {
  return me.roles.includes('owner') || !member.roles.includes('owner');
}

/** Whether a member is the only owner; false as long as not all members are known. */
export function isOnlyOwner(
  member: MemberRoles,
  { members, isComplete }: { members: readonly MemberRoles[]; isComplete: boolean },
): boolean {
  if (!isComplete || !member.roles.includes('owner')) return false;
  return members.every(({ accountId, roles }) => accountId === member.accountId || !roles.includes('owner'));
}

/** The roles that are known here, in the order of what they may do. */
export function sortRoles(roles: readonly string[]): RoleName[] {
  return roleNames.filter((role) => roles.includes(role));
}
