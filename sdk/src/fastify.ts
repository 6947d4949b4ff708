// Receives webhooks in Fastify 4 and 5. The plugin has a scope of its own, so that only its route gets the
// body unparsed.

import { type OnWebhookEvent, receiveWebhook } from './receive-webhook.ts';
import {
  checkWebhookKey,
  type RawBody,
  type VerifyWebhookOptions,
  type WebhookHeaders,
  type WebhookKey,
} from './webhooks.ts';

/** A Fastify instance of any version and type provider: its overloads have no form that a type here could state. */
export type FastifyScope = {
  removeAllContentTypeParsers(): void;
  addContentTypeParser: (...parameters: never[]) => unknown;
  post: (...parameters: never[]) => unknown;
};

/** What the plugin uses of it. */
type UsedScope = {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: unknown) => void) => void,
  ): unknown;
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
};
type FastifyRequest = { headers: WebhookHeaders; body: unknown };
type FastifyReply = {
  code(status: number): FastifyReply;
  type(type: string): FastifyReply;
  send(text?: string): unknown;
};

export type FastifyWebhookOptions = VerifyWebhookOptions & {
  /** The path of the route, such as `/webhooks/paylink`. */
  path: string;
  key: WebhookKey;
  onEvent: OnWebhookEvent;
};

/**
 * A plugin with a route that receives webhooks: `app.register(fastifyWebhook, { path, key, onEvent })`. It
 * answers 204 after `onEvent`, and 400 to what is not a genuine webhook. An error of `onEvent` goes to the error
 * handler of the instance. The start fails with `PaylinkError` if the key is not valid.
 */
export async function fastifyWebhook(
  instance: FastifyScope,
  { path, key, onEvent, toleranceSeconds, now }: FastifyWebhookOptions,
): Promise<void> {
  checkWebhookKey(key);
  const app = instance as UsedScope;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(path, async (request, reply) => {
    const rawBody = request.body as RawBody;
    const options = { toleranceSeconds, now };
    const { status, text } = await receiveWebhook(rawBody, request.headers, key, onEvent, options);
    if (text !== '') reply.type('text/plain; charset=utf-8');
    return reply.code(status).send(text);
  });
}
