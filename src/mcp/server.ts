// The server of one client: its tools and resources over the public API. Must not: call the service for a tool that is not
// offered, or let an error of a call end the server.

import {
  type Tool as ListedTool,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import type { CallOptions, Paylink } from '../../sdk/src/index.ts';
import type { ReadAccess } from './access.ts';
import type { Act } from './acts.ts';
import { checkArguments } from './check-arguments.ts';
import { type DocumentationPage, listPages, readPage } from './documentation.ts';
import { instructionsFor } from './instructions.ts';
import { describeFailure, resultSchemaOf, type TextResult, toErrorResult, toResult } from './results.ts';
import type { Mode, Tool } from './tool.ts';
import { tools } from './tools.ts';

export type ServerDeps = {
  paylink: Paylink;
  readAccess: ReadAccess;
  url: string;
  mode: Mode;
  allowed: ReadonlySet<Act>;
  version: string;
  /** Reports to the person who runs the server. */
  note(text: string): void;
};

const isAllowed = ({ act }: Tool, allowed: ReadonlySet<Act>) => act === null || allowed.has(act);
const isInScope = ({ scope }: Tool, rights: readonly string[]) => scope === null || rights.includes(scope);

/** The tool as the protocol lists it. The schemas of TypeBox are JSON Schema, which their types do not say. */
function describeTool(tool: Tool): ListedTool {
  const { name, title, description, scope, act, hints, input, origin } = tool;
  return {
    name,
    title,
    description: scope === null ? description : `${description} It needs the scope ${scope}.`,
    inputSchema: input as unknown as ListedTool['inputSchema'],
    outputSchema: resultSchemaOf(tool) as unknown as ListedTool['outputSchema'],
    annotations: {
      title,
      readOnlyHint: act === null,
      ...hints,
      // Records have texts of customers and others.
      openWorldHint: origin === 'others',
    },
  };
}

/** Why a tool cannot be called now; null if it can. */
async function refuse(deps: ServerDeps, tool: Tool, options: CallOptions) {
  if (!isAllowed(tool, deps.allowed))
    return {
      code: 'act_not_allowed',
      message: `This server does not offer ${tool.name}: a person has to start it with --allow ${tool.act}.`,
    };
  if (tool.scope === null) return null;
  const { rights } = await deps.readAccess(options);
  if (isInScope(tool, rights)) return null;
  return {
    code: 'scope_not_allowed',
    message: `${tool.name} needs a service key with the scope ${tool.scope}. The scopes of this key: ${rights.join(', ')}.`,
  };
}

/** The result of a call that threw. Before an act was sent, nothing can have been done. */
function toFailedResult(
  deps: ServerDeps,
  tool: Tool,
  { error, isSent, isCancelled }: { error: unknown; isSent: boolean; isCancelled: boolean },
): TextResult {
  const { mode, note } = deps;
  // Nobody gets the result of a cancelled request.
  if (isCancelled) {
    if (isSent && tool.act !== null) note(`${tool.name} was cancelled by the client; it may have been done.`);
    return toErrorResult(mode, { code: 'cancelled', message: 'The client cancelled the request.' });
  }
  const failure = describeFailure(error, isSent ? tool : null);
  if (failure) return toErrorResult(mode, failure);
  note(`${tool.name} failed: ${stackOf(error)}`);
  const message = 'This server failed. Its standard error has the details.';
  return toErrorResult(mode, { code: 'internal_error', message });
}

const stackOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

async function callTool(
  deps: ServerDeps,
  tool: Tool,
  { given, options }: { given: Record<string, unknown>; options: CallOptions },
): Promise<TextResult> {
  const { paylink, mode, allowed } = deps;
  let isSent = false;
  try {
    const refusal = await refuse(deps, tool, options);
    if (refusal) return toErrorResult(mode, refusal);
    const fields = checkArguments(tool.input, given);
    if (fields.length > 0) {
      const message = `The arguments of ${tool.name} are wrong. Nothing was sent.`;
      return toErrorResult(mode, { code: 'invalid_arguments', message, fields });
    }
    isSent = true;
    return toResult(tool, mode, await tool.run({ paylink, options, mode, allowed }, given));
  } catch (error) {
    return toFailedResult(deps, tool, { error, isSent, isCancelled: options.signal?.aborted === true });
  }
}

/** The same for requests whose failures are errors of the protocol. */
async function orProtocolError<T>(deps: ServerDeps, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const failure = describeFailure(error, null);
    if (!failure) deps.note(stackOf(error));
    const message = failure ? `${failure.code}: ${failure.message}` : 'This server failed.';
    throw new ProtocolError(ProtocolErrorCode.InternalError, message);
  }
}

const uriStart = 'paylink:///';

/** A page as the protocol lists it. */
const toResource = ({ path, title, summary }: DocumentationPage) => ({
  uri: uriStart + path,
  name: path,
  title,
  mimeType: 'text/markdown',
  ...(summary === '' ? {} : { description: summary }),
});

/** Each page of the documentation as a resource. */
function serveDocumentation({ server }: McpServer, deps: ServerDeps): void {
  const { paylink } = deps;
  server.setRequestHandler('resources/list', async (_request, { mcpReq: { signal } }) => {
    return await orProtocolError(deps, async () => {
      const pages = await listPages({ paylink, options: { signal } });
      return { resources: pages.map(toResource) };
    });
  });
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq: { signal } }) => {
    return await orProtocolError(deps, async () => {
      const path = uri.startsWith(uriStart) ? uri.slice(uriStart.length) : '';
      const text = await readPage({ paylink, options: { signal } }, path);
      if (text === null) throw new ResourceNotFoundError(uri);
      return { contents: [{ uri, mimeType: 'text/markdown', text }] };
    });
  });
}

/** Creates a server. It asks the service nothing before a request needs it. */
export function createMcpServer(deps: ServerDeps): McpServer {
  const { url, mode, allowed, version } = deps;
  const mcp = new McpServer(
    { name: 'paylink', title: 'Paylink', version },
    { capabilities: { tools: {}, resources: {} }, instructions: instructionsFor({ url, mode, allowed }) },
  );
  // Which tools are listed depends on the key, which the service knows.
  mcp.server.setRequestHandler('tools/list', async (_request, { mcpReq: { signal } }) => {
    return await orProtocolError(deps, async () => {
      const { rights } = await deps.readAccess({ signal });
      const offered = tools.filter((tool) => isAllowed(tool, allowed) && isInScope(tool, rights));
      return { tools: offered.map(describeTool) };
    });
  });
  mcp.server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    return await callTool(deps, tool, { given: params.arguments ?? {}, options: { signal } });
  });
  serveDocumentation(mcp, deps);
  return mcp;
}
