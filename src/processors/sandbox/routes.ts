// The routes of the sandbox's 3-D Secure challenge, which approves or declines a charge and redirects back.

import type { FastifyReply } from 'fastify';
import { errors } from '../../base/errors.ts';
import { formatAmount } from '../../base/format-amount.ts';
import { isCompanyId } from '../../base/ids.ts';
import type { Database } from '../../db/database.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { challengeLanguage, renderChallengePage } from './challenge-page.ts';
import { challengePath, sandboxScope } from './sandbox.ts';
import { findChargeByReference, moveCharge, type SandboxCharge } from './store.ts';

export type SandboxRouteDeps = { db: Database; stylesheet: string };

type ChallengeKey = { company: string; reference: string };

async function findChallenge(
  deps: SandboxRouteDeps,
  key: ChallengeKey,
): Promise<SandboxCharge & { returnUrl: string }> {
  if (!isCompanyId(key.company)) throw errors.notFound();
  const charge = await deps.db.inTenant(
    sandboxScope(key.company),
    async (tx) => await findChargeByReference(tx, key.reference),
  );
  if (!charge?.returnUrl) throw errors.notFound();
  return { ...charge, returnUrl: charge.returnUrl };
}

function showChallenge(
  reply: FastifyReply,
  deps: SandboxRouteDeps,
  key: ChallengeKey,
  charge: SandboxCharge,
): FastifyReply {
  const returnUrl = charge.returnUrl ?? '';
  const locale = charge.locale ?? 'en';
  const page = renderChallengePage({
    locale,
    merchantName: charge.merchantName ?? '',
    amount: formatAmount(charge.amountMinor, charge.currency, challengeLanguage(locale)),
    approveAction: challengePath(key.company, key.reference),
    token: charge.reference,
    stylesheet: deps.stylesheet,
    leaveUrl: returnUrl,
  });
  return (
    reply
      // No form-action: the post redirects to the merchant's address, which the bank's page does not know.
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(page)
  );
}

async function decide(
  deps: SandboxRouteDeps,
  key: ChallengeKey,
  charge: SandboxCharge,
  isApproved: boolean,
): Promise<void> {
  const isGood = isApproved && charge.afterChallenge === 'succeeded';
  await deps.db.inTenant(sandboxScope(key.company), async (tx) => {
    await moveCharge(tx, {
      idempotencyKey: charge.idempotencyKey,
      from: 'challenge',
      to: isGood ? 'succeeded' : 'declined',
      ...(isGood
        ? {}
        : { declineCode: isApproved ? ('generic_decline' as const) : ('authentication_failed' as const) }),
    });
  });
}

/** The scope must parse form posts. */
export function registerSandboxRoutes(scope: HttpServer, deps: SandboxRouteDeps): void {
  const url = '/sandbox/3ds/:company/:reference';
  scope.get(url, { schema: { hide: true } }, async (request, reply) => {
    const key = request.params as ChallengeKey;
    const charge = await findChallenge(deps, key);
    if (charge.state !== 'challenge') return reply.redirect(charge.returnUrl, 303);
    return showChallenge(reply, deps, key, charge);
  });
  scope.post(url, { schema: { hide: true } }, async (request, reply) => {
    const key = request.params as ChallengeKey;
    const charge = await findChallenge(deps, key);
    const decision = request.body instanceof URLSearchParams ? request.body.get('decision') : null;
    if (decision !== 'approve' && decision !== 'decline') return showChallenge(reply, deps, key, charge);
    await decide(deps, key, charge, decision === 'approve');
    return reply.redirect(charge.returnUrl, 303);
  });
}
