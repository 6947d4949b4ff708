// The acts that `paylink mcp --allow` can name. Each is called as the scope that it needs. Imports nothing, so that
// the command's row costs nothing.

export const acts = ['payments:create', 'payments:cancel', 'payments:refund'] as const;
export type Act = (typeof acts)[number];

export const isAct = (name: string): name is Act => (acts as readonly string[]).includes(name);
