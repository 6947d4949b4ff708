// One connection: whether it is offered and responds, its settings, its webhook address, and its recent
// webhooks.

import type { ComponentChildren } from 'preact';
import { formatCount } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/page.tsx';
import { Badge, CodeLine, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { type Connection, isAddressEntered, type Kind, missingOf } from './connections.ts';
import { useProcessorTexts } from './texts.ts';
import { useProcessorWords } from './words.ts';

const verdicts = ['accepted', 'irrelevant', 'replayed', 'mismatched', 'forged'] as const;

function Notices({ notices }: Pick<Connection, 'notices'>) {
  const { language } = useLanguage();
  const texts = useProcessorTexts();
  const common = useCommonTexts();
  const received = verdicts.filter((verdict) => notices[verdict] > 0);
  if (received.length === 0) return <>{texts.noneReceived}</>;
  return (
    <div>
      <ul class="row">
        {received.map((verdict) => (
          <li key={verdict}>
            {common.labelled.parts({
              label: texts.counts[verdict],
              value: <span class="number">{formatCount(language, notices[verdict])}</span>,
            })}
          </li>
        ))}
      </ul>
      {notices.lastAt && (
        <p class="quiet small">{texts.lastReceived.parts({ time: <Moment at={notices.lastAt} /> })}</p>
      )}
      {notices.forged > 0 && <p class="small">{texts.forgedHint}</p>}
      {notices.mismatched > 0 && <p class="small">{texts.mismatchedHint}</p>}
    </div>
  );
}

type Item = readonly [name: string, value: ComponentChildren];

function useCredentialFacts(connection: Connection, kind: Kind | undefined): Item[] {
  const texts = useProcessorTexts();
  const { wordsOf } = useProcessorWords();
  return connection.credentials.flatMap(({ name, value, isSet }): Item[] => {
    const field = kind?.fields.find((one) => one.name === name);
    const label = field ? wordsOf(connection.processor, field).label : name;
    // An optional field that is not set needs no mention.
    if (!isSet && !field?.isRequired && !name.startsWith('webhook')) return [];
    const shown = value === null ? texts.secretSet : <bdi class="connection-text">{value}</bdi>;
    return [[label, isSet ? shown : texts.notSet]];
  });
}

function Missing({ connection, kind, onComplete }: Omit<ConnectionCardProps, 'children' | 'position'>) {
  const texts = useProcessorTexts();
  const { wordsOf } = useProcessorWords();
  const missing = kind ? missingOf(connection, kind) : [];
  if (!kind || missing.length === 0) return null;
  const labels = missing.map((field) => wordsOf(kind.processor, field).label).join(', ');
  return (
    <div class="notice notice-busy">
      <p>
        <strong>{texts.toComplete({ fields: labels })}</strong> {texts.toCompleteHint}
      </p>
      {onComplete && (
        <Button isSmall onClick={onComplete}>
          {texts.complete}
        </Button>
      )}
    </div>
  );
}

type ConnectionCardProps = {
  connection: Connection;
  /** Undefined if this version of the service no longer knows the processor. */
  kind: Kind | undefined;
  position: number;
  /** Set if the person may change the connection. */
  onComplete?: (() => void) | undefined;
  children?: ComponentChildren;
};

function States({ connection }: { connection: Connection }) {
  const texts = useProcessorTexts();
  const { enabled, health } = connection;
  return (
    <span class="actions">
      <Badge tone={enabled ? 'good' : 'quiet'}>{enabled ? texts.on : texts.off}</Badge>
      {enabled && <Badge tone={health.isUp ? 'quiet' : 'bad'}>{health.isUp ? texts.up : texts.down}</Badge>}
    </span>
  );
}

export function ConnectionCard(props: ConnectionCardProps) {
  const { connection, kind, position, children } = props;
  const texts = useProcessorTexts();
  const { titleOf } = useProcessorWords();
  const { connectionId: id, name, holder, currencies, webhookUrl, health, notices } = connection;
  const items: Item[] = [
    ...(holder ? [[texts.holder, <bdi class="connection-text">{holder}</bdi>] as Item] : []),
    [texts.offeredIn, currencies.join(', ')],
    ...useCredentialFacts(connection, kind),
    ...(webhookUrl ? [[texts.webhooksReceived, <Notices notices={notices} />] as Item] : []),
  ];
  return (
    <section class="card" aria-labelledby={`title-${id}`}>
      <header class="apart">
        <h2 id={`title-${id}`}>
          {position}. {titleOf(connection)}
          {name && name !== connection.title && (
            <span class="connection-name">
              {' '}
              <bdi class="connection-text">{name}</bdi>
            </span>
          )}
        </h2>
        <States connection={connection} />
      </header>
      {!health.isUp && <p>{texts.downHint}</p>}
      <Missing {...props} />
      <Facts items={items} />
      {webhookUrl && (
        <div class="field">
          <CodeLine text={webhookUrl} label={texts.webhookAddress} />
          <p class="field-hint">
            {kind && isAddressEntered(kind) ? texts.webhookEnter : texts.webhookAutomatic}
          </p>
        </div>
      )}
      {children}
    </section>
  );
}
