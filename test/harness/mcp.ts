// Clients of `paylink mcp`: the official one, connected to a server in this process or to the command.

import assert from 'node:assert/strict';
import { Client, InMemoryTransport, type Tool, type Transport } from '@modelcontextprotocol/client';
import { type CallOptions, createPaylink } from '../../sdk/src/index.ts';
import { createAccess } from '../../src/mcp/access.ts';
import type { Act } from '../../src/mcp/acts.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import type { Json } from './client.ts';

/** A result: its structured content, and the text as it came. */
export type McpResult = { isError: boolean; text: string; json: Json; structured: Json | undefined };

export type McpClient = {
  client: Client;
  /** What the server reported to the person who runs it. */
  notes: string[];
  list(): Promise<Tool[]>;
  call(name: string, given?: Json, options?: CallOptions): Promise<McpResult>;
  /** What a tool returned of the API. Fails if the call did. */
  read(name: string, given?: Json): Promise<Json>;
  /** The error of a call. Fails if the call did not. */
  fail(name: string, given?: Json): Promise<Json>;
  close(): Promise<void>;
};

const parse = (text: string): Json => (text.startsWith('{') ? (JSON.parse(text) as Json) : {});

/** Connects the client. It validates every structured result against the schema of its tool. */
export async function connectClient(
  transport: Transport,
  mode: 'legacy' | 'auto' = 'auto',
): Promise<McpClient> {
  const client = new Client({ name: 'paylink-test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  await client.listTools().catch(() => undefined);
  const call = async (name: string, given: Json = {}, options: CallOptions = {}): Promise<McpResult> => {
    const { signal } = options;
    const result = await client.callTool({ name, arguments: given }, signal ? { signal } : {});
    const [block, ...others] = result.content;
    assert.ok(block?.type === 'text' && others.length === 0, 'a result is one text');
    const structured = result.structuredContent as Json | undefined;
    return { isError: result.isError === true, text: block.text, json: parse(block.text), structured };
  };
  return {
    client,
    notes: [],
    list: async () => (await client.listTools()).tools,
    call,
    read: async (name, given) => {
      const { isError, text, json, structured } = await call(name, given);
      assert.ok(!isError, `${name}: ${text}`);
      assert.deepEqual(json, structured, 'both forms have the same value');
      return json.untrustedData as Json;
    },
    fail: async (name, given) => {
      const { isError, text, json } = await call(name, given);
      assert.ok(isError, `${name}: ${text}`);
      return json.error as Json;
    },
    close: async () => await client.close(),
  };
}

export type McpOptions = {
  allowed?: readonly Act[];
  url?: string;
  mode?: 'legacy' | 'auto';
  fetch?: typeof fetch;
};

/** A client of a server in this process, which calls the service with a key. */
export async function connectMcp(
  at: { baseUrl: string },
  key: string,
  options: McpOptions = {},
): Promise<McpClient> {
  const { allowed = [], mode, fetch } = options;
  const notes: string[] = [];
  const paylink = createPaylink({ baseUrl: at.baseUrl, serviceKey: key, maxRetries: 0, fetch });
  const server = createMcpServer({
    paylink,
    readAccess: createAccess(paylink),
    url: at.baseUrl,
    mode: key.startsWith('pls_live_') ? 'live' : 'test',
    allowed: new Set(allowed),
    version: '1.0.0',
    note: (text) => void notes.push(text),
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const connected = await connectClient(ours, mode ?? 'legacy');
  return { ...connected, notes };
}
