// What the service key may do, asked once. A key never gets other scopes.

import { Type } from 'typebox';
import type { Access, CallOptions, Paylink } from '../../sdk/src/index.ts';
import { argumentsOf, oneOf, readingTool, type Tool } from './tool.ts';

export type ReadAccess = (options?: CallOptions) => Promise<Access>;

/** Asks again after a failure, such as while the service is down. */
export function createAccess(paylink: Paylink): ReadAccess {
  let known: Access | null = null;
  return async (options) => {
    known ??= await paylink.access.get(options);
    return known;
  };
}

const names = (description: string) => Type.Array(Type.String(), { description });

/** Not from the cache: a key that was revoked meanwhile is refused. */
export const accessTools: readonly Tool[] = [
  readingTool({
    name: 'get_access',
    title: 'Retrieve what this server may do',
    description:
      'Returns the mode and the scopes of the service key, and which acts are allowed. Use it to explain why a tool is missing.',
    scope: null,
    origin: 'paylink',
    input: argumentsOf({}),
    output: Type.Object({
      companyId: Type.String({ description: 'The company' }),
      mode: oneOf(['test', 'live'], 'live: real money'),
      serviceKeyId: Type.Union([Type.String(), Type.Null()], {
        description: 'The ID of the key; it is not secret',
      }),
      scopes: names('The scopes of the key'),
      acts: names('The acts that are offered: allowed by --allow, and within the scopes'),
    }),
    read: async ({ paylink, options, allowed }) => {
      const { companyId, mode, serviceKeyId, rights } = await paylink.access.get(options);
      return {
        companyId,
        mode,
        serviceKeyId,
        scopes: rights,
        acts: [...allowed].filter((act) => rights.includes(act)),
      };
    },
  }),
];
