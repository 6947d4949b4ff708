// Receives webhooks in Express 4 and 5, and in every server with the requests and responses of Node. It reads
// the body itself, because the signature covers the exact bytes.

import { utf8 } from './bytes.ts';
import { PaylinkError } from './errors.ts';
import { type OnWebhookEvent, receiveWebhook } from './receive-webhook.ts';
import { checkWebhookKey, type RawBody, type VerifyWebhookOptions, type WebhookKey } from './webhooks.ts';

/** A request of Node, perhaps with the body that a parser has left. */
export type NodeRequest = AsyncIterable<unknown> & {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  readableEnded?: boolean;
  /** What a parser has left: `express.raw()` leaves the bytes, `express.json()` does not. */
  body?: unknown;
  /** What some platforms keep beside the parsed body. */
  rawBody?: unknown;
};

/** A response of Node. */
export type NodeResponse = {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text?: string): unknown;
};

export type NodeHandler = (
  request: NodeRequest,
  response: NodeResponse,
  next?: (error?: unknown) => void,
) => Promise<void>;

/** Far more than any webhook has. */
const maxBodyBytes = 1_048_576;

/**
 * The handler of a route that receives webhooks. Use it before `express.json()`. It answers 204 after
 * `onEvent`, 400 to what is not a genuine webhook, and passes an error of `onEvent` on to `next`. Throws
 * `PaylinkError` at once if the key is not valid.
 */
export function expressWebhook(
  key: WebhookKey,
  onEvent: OnWebhookEvent,
  options: VerifyWebhookOptions = {},
): NodeHandler {
  checkWebhookKey(key);
  return async (request, response, next) => {
    try {
      const rawBody = await readRawBody(request);
      if (rawBody === null) return answer(response, 413, 'The body is too large for a webhook.');
      const { status, text } = await receiveWebhook(rawBody, request.headers, key, onEvent, options);
      answer(response, status, text);
    } catch (error) {
      if (next) next(error);
      else answer(response, 500, '');
    }
  };
}

function answer(response: NodeResponse, status: number, text: string): void {
  response.statusCode = status;
  // The rest of a body that is too large is never read.
  if (status === 413) response.setHeader('connection', 'close');
  if (text === '') response.end();
  else {
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.end(text);
  }
}

/** The body as it came; null if it is too large. Throws `PaylinkError` if only a parsed one is left. */
async function readRawBody(request: NodeRequest): Promise<RawBody | null> {
  for (const left of [request.rawBody, request.body])
    if (typeof left === 'string' || ArrayBuffer.isView(left)) return left as RawBody;
  if (request.readableEnded || (typeof request.body === 'object' && hasMembers(request.body)))
    throw new PaylinkError(
      'parsed_body',
      'The body was already parsed, and the signature covers its exact bytes. Use expressWebhook before express.json(), or express.raw({ type: "application/json" }) on its route.',
    );
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request) {
    const part = typeof chunk === 'string' ? utf8(chunk) : (chunk as Uint8Array);
    parts.push(part);
    length += part.length;
    if (length > maxBodyBytes) return null;
  }
  return join(parts, length);
}

/** Not `concatenate`: a sender may split a body into more parts than a function takes arguments. */
function join(parts: readonly Uint8Array[], length: number): RawBody {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Parsers of Express 4 leave an empty object for a body that they have not read. */
const hasMembers = (body: object | null) => body !== null && Object.keys(body).length > 0;
