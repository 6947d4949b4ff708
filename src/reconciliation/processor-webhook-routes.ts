// The route of processor webhooks. Bodies are read as bytes, because the bytes are signed. Must not report more to the
// caller than whether the webhook was accepted.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, errors } from '../base/errors.ts';
import { clientKeyOf } from '../http/client-network.ts';
import type { HttpServer } from '../http/http-server.ts';
import { createProcessorWebhookGuard, tooManyForgedWebhooks } from './processor-webhook-guard.ts';
import {
  countForgedWebhook,
  type IncomingWebhook,
  type ProcessorWebhookDeps,
  receiveProcessorWebhook,
} from './receive-processor-webhook.ts';

const maxBytes = 256 * 1024;

const deferredSeconds = 60;

const attemptIdForm = /^att_[0-9a-hjkmnp-tv-z]{26}$/;
const proofForm = /^[\w-]{43}$/;

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}

/** The proof in a webhook's URL; null for older URLs. */
function proofOf(query: unknown): IncomingWebhook['proof'] {
  const { attempt, proof } = query as { attempt?: unknown; proof?: unknown };
  const isOfForm =
    typeof attempt === 'string' &&
    typeof proof === 'string' &&
    attemptIdForm.test(attempt) &&
    proofForm.test(proof);
  return isOfForm ? { attemptId: attempt, text: proof } : null;
}

function readIncoming(request: FastifyRequest): IncomingWebhook {
  const { processor, connectionId } = request.params as { processor: string; connectionId: string };
  return {
    ...{ processor, connectionId, client: clientKeyOf(request), proof: proofOf(request.query) },
    headers: headersOf(request.headers),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  };
}

async function respond(
  deps: ProcessorWebhookDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { log, guard } = deps;
  const incoming = readIncoming(request);
  const { processor, connectionId, client } = incoming;
  const received = await receiveProcessorWebhook(deps, incoming).catch((cause: unknown) => {
    if (cause instanceof ApiError) throw cause;
    throw errors.processorUnreachable({ cause });
  });
  const { verdict, companyId, why } = received;
  if (verdict === 'deferred') throw tooManyForgedWebhooks(deferredSeconds);
  // Before it is logged: refusals over the limit are logged once a minute.
  if (verdict === 'forged') await guard.countForged({ connectionId, client, reply });
  const fields = { companyId, processor, connectionId, verdict, ...(why ? { why } : {}) };
  if (verdict === 'accepted' || verdict === 'irrelevant') log.info(fields, 'processor webhook');
  else log.warn(fields, 'processor webhook changes nothing');
  if (verdict !== 'forged') return reply.send('');
  await countForgedWebhook(deps, { companyId, connectionId });
  throw errors.invalidNotice();
}

const withoutRequestLog = 'processor webhooks refused: clients over the rate limit';

export async function registerProcessorWebhookRoutes(
  app: HttpServer,
  appDeps: Omit<ProcessorWebhookDeps, 'guard'> & { poolSize: number },
): Promise<void> {
  const guard = createProcessorWebhookGuard(appDeps);
  const deps = { ...appDeps, guard };
  app.addHook('onClose', async () => {
    const count = guard.unloggedCount();
    if (count > 0) deps.log.warn({ count }, withoutRequestLog);
  });
  await app.register(async (scope: HttpServer) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(
      '/processors/:processor/webhook/:connectionId',
      { bodyLimit: maxBytes, schema: { hide: true } },
      async (request, reply) => {
        try {
          return await respond(deps, request, reply);
        } catch (error) {
          if (error instanceof ApiError && error.code === 'rate_limited') {
            request.isLogged = false;
            const count = guard.countUnlogged();
            if (count !== null) deps.log.warn({ count }, withoutRequestLog);
          }
          throw error;
        }
      },
    );
  });
}
