// The operations on processors and connections as methods. One line each, typed from openapi.json, without
// logic.

import type { Answer, CallOptions, Input, Request } from './call.ts';

export type ProcessorInfo = Answer<'listProcessors'>['data'][number];
export type ProcessorConnection = Answer<'getProcessorConnection'>;

export type Processors = {
  /** The available processors, and the settings of a connection to each. */
  list(options?: CallOptions): Promise<ProcessorInfo[]>;
  /** The connections in the mode of your API key, in the order of the payment page. */
  listConnections(options?: CallOptions): Promise<ProcessorConnection[]>;
  getConnection(connectionId: string, options?: CallOptions): Promise<ProcessorConnection>;
  /** Checks the credentials with the processor; they are never shown again. */
  connect(
    connection: Input<'createProcessorConnection'>['body'],
    options?: CallOptions,
  ): Promise<ProcessorConnection>;
  changeConnection(
    connectionId: string,
    change: Input<'updateProcessorConnection'>['body'],
    options?: CallOptions,
  ): Promise<ProcessorConnection>;
  /** Asks the processor whether the credentials are still valid. */
  checkConnection(connectionId: string, options?: CallOptions): Promise<ProcessorConnection>;
  /** Reorders all connections of the mode; the first is offered first. */
  orderConnections(connectionIds: readonly string[], options?: CallOptions): Promise<ProcessorConnection[]>;
  /** Deletes a connection and its credentials; payments made through it can no longer be refunded. */
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
