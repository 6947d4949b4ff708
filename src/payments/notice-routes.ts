// Where processors send their webhooks. Bodies are taken as they come, byte by byte, because that is what was
// signed. Must never tell the caller more than whether it was taken.

import { errors, Refusal } from '../base/errors.ts';
import { clientOf } from '../http/client.ts';
import { enforceLimit } from '../http/rate-limit.ts';
import type { HttpServer } from '../http/server.ts';
import { countForged, type NoticeDeps, receiveNotice } from './receive-notice.ts';

/** More than any processor sends. */
const maxBytes = 256 * 1024;

/** Each may cost a question to the processor. Counted for each sender, so that a forger uses up nobody else's. */
const limit = { name: 'notices', quota: 1_200, windowSeconds: 60 };

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}

/** Registers the one route; its path is part of what merchants enter at their processors. */
export async function registerNoticeRoutes(app: HttpServer, deps: NoticeDeps): Promise<void> {
  const { log } = deps;
  await app.register(async (scope: HttpServer) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(
      '/processors/:processor/webhook/:connectionId',
      { bodyLimit: maxBytes, schema: { hide: true } },
      async (request, reply) => {
        const { processor, connectionId } = request.params as { processor: string; connectionId: string };
        await enforceLimit(deps.db, { limit, who: `${connectionId} ${clientOf(request)}`, reply });
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const incoming = { processor, connectionId, headers: headersOf(request.headers), body };
        const received = await receiveNotice(deps, incoming).catch((cause: unknown) => {
          if (cause instanceof Refusal) throw cause;
          throw errors.processorUnreachable({ cause });
        });
        const { verdict, companyId, why } = received;
        const fields = { companyId, processor, connectionId, verdict, ...(why ? { why } : {}) };
        if (verdict === 'accepted' || verdict === 'irrelevant') log.info(fields, 'webhook of a processor');
        else log.warn(fields, 'webhook of a processor that changes nothing');
        if (verdict !== 'forged') return reply.send('');
        const refusal = await app.countRefusal(errors.invalidNotice(), request, reply);
        if (refusal.code === 'invalid_notice') await countForged(deps, { companyId, connectionId });
        throw refusal;
      },
    );
  });
}
