// What the tables and the dialogs of service keys and API keys share.

import { ApiProblem } from '../../api/call.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Badge, Moment, type Tone } from '../../parts/values.tsx';
import { useKeyTexts } from './texts.ts';

/** Why this service can't take real money; nothing for any other error. */
export function LiveReasons({ fault }: { fault: unknown }) {
  const texts = useKeyTexts();
  const reasons: Readonly<Record<string, string>> = texts.liveReasons;
  if (!(fault instanceof ApiProblem) || fault.problem.code !== 'live_not_possible') return null;
  return (
    <ul class="reasons small">
      {fault.problem.errors.map(({ code, detail }) => (
        <li key={code}>{reasons[code] ?? detail}</li>
      ))}
    </ul>
  );
}

/** The key that a dialog is about. */
export const NamedKey = ({ name }: { name: string }) => (
  <p class="strong">
    <bdi>{name}</bdi>
  </p>
);

const tones: Readonly<Record<string, Tone>> = { active: 'good', expiring: 'busy' };

export function KeyBadge({ status }: { status: string }) {
  const { statuses } = useKeyTexts();
  const names: Readonly<Record<string, string>> = statuses;
  return <Badge tone={tones[status] ?? 'quiet'}>{names[status] ?? status}</Badge>;
}

/** The name of a key's creator: the email address with the right to read members, else the account ID. */
function useCreator(): (accountId: string) => string {
  const { session, may } = useSession();
  const texts = useKeyTexts();
  const { data } = useApiQuery('listMembers', { query: { limit: 100 } }, { isEnabled: may('members:read') });
  return (accountId) => {
    if (accountId === 'system') return texts.bySystem;
    if (accountId === session.accountId) return texts.byYou;
    const member = data?.data.find((one) => one.accountId === accountId);
    return texts.by({ member: member?.email ?? accountId });
  };
}

type Identified = { name: string; keyId: string };

export const NameAndId = ({ name, keyId }: Identified) => (
  <div class="stacked">
    <p class="strong clamp">
      <bdi>{name}</bdi>
    </p>
    <p class="quiet mono">{keyId}</p>
  </div>
);

/** When a key was created, and by whom. */
export function Creation({ createdAt, createdBy }: { createdAt: string; createdBy: string }) {
  const creatorOf = useCreator();
  return (
    <div class="stacked">
      <Moment at={createdAt} />
      <p class="quiet small">
        <bdi>{creatorOf(createdBy)}</bdi>
      </p>
    </div>
  );
}

type Ended = { revokedAt: string | null; expiresAt: string | null };

export function Ends({ revokedAt, expiresAt }: Ended) {
  const texts = useKeyTexts();
  const at = revokedAt ?? expiresAt;
  return at ? <Moment at={at} /> : <span>{texts.never}</span>;
}
