// The operations on processors, as methods: what there is, and the company's accounts with them. One line each,
// typed from openapi.json; nothing is decided here.

import type { Answer, CallOptions, Input, Request } from './call.ts';

export type ProcessorInfo = Answer<'listProcessors'>['data'][number];
export type ProcessorConnection = Answer<'getProcessorConnection'>;

export type Processors = {
  /** The processors that a company may be connected with, and what a connection to each needs. */
  list(options?: CallOptions): Promise<ProcessorInfo[]>;
  /** The connections of the mode of your API key, in the order in which customers are offered them. */
  listConnections(options?: CallOptions): Promise<ProcessorConnection[]>;
  getConnection(connectionId: string, options?: CallOptions): Promise<ProcessorConnection>;
  /** The processor is asked whether the credentials hold; they are never shown again. */
  connect(
    connection: Input<'createProcessorConnection'>['body'],
    options?: CallOptions,
  ): Promise<ProcessorConnection>;
  changeConnection(
    connectionId: string,
    change: Input<'updateProcessorConnection'>['body'],
    options?: CallOptions,
  ): Promise<ProcessorConnection>;
  /** Asks the processor whether the credentials still hold. */
  checkConnection(connectionId: string, options?: CallOptions): Promise<ProcessorConnection>;
  /** Names all connections of the mode, the one that is offered first at the front. */
  orderConnections(connectionIds: readonly string[], options?: CallOptions): Promise<ProcessorConnection[]>;
  /** Deletes a connection and its credentials; payments made through it can’t be refunded any more. */
  removeConnection(connectionId: string, options?: CallOptions): Promise<ProcessorConnection>;
};

export function processorsOf(request: Request): Processors {
  return {
    list: async (options) => (await request('listProcessors', {}, options)).data,
    listConnections: async (options) => (await request('listProcessorConnections', {}, options)).data,
    getConnection: (connectionId, options) =>
      request('getProcessorConnection', { path: { connectionId } }, options),
    connect: (body, options) => request('createProcessorConnection', { body }, options),
    changeConnection: (connectionId, body, options) =>
      request('updateProcessorConnection', { path: { connectionId }, body }, options),
    checkConnection: (connectionId, options) =>
      request('checkProcessorConnection', { path: { connectionId } }, options),
    orderConnections: async (connectionIds, options) =>
      (await request('orderProcessorConnections', { body: { connectionIds: [...connectionIds] } }, options))
        .data,
    removeConnection: (connectionId, options) =>
      request('deleteProcessorConnection', { path: { connectionId } }, options),
  };
}
