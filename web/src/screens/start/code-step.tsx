// The example code, with curl and with the SDK. The URL stores which of the two is shown, for all examples.

import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { useSession } from '../../api/session.tsx';
import { useUrlState } from '../../base/url-state.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { CodeBlock, Money, PaymentBadge } from '../../parts/values.tsx';
import { curlLink, scriptLink } from './snippets.ts';
import type { Payment } from './steps.ts';
import { useStartTexts } from './texts.ts';

const snippetLanguages = ['curl', 'typescript'] as const;
type SnippetLanguage = (typeof snippetLanguages)[number];

type ExamplesProps = {
  curl: string;
  typescript: string;
  /** Content below the lines, for each. */
  below?: Readonly<Record<SnippetLanguage, ComponentChildren>>;
};

/** The same example in two languages. */
export function Examples({ below, ...lines }: ExamplesProps) {
  const texts = useStartTexts();
  const [{ code }, change] = useUrlState();
  const chosen = snippetLanguages.find((one) => one === code) ?? 'curl';
  const labels: Record<SnippetLanguage, string> = { curl: 'curl', typescript: 'TypeScript' };
  return (
    <Tabs
      label={texts.languages}
      tabs={snippetLanguages.map((id) => ({ id, label: labels[id] }))}
      chosen={chosen}
      onChoose={(id) => change({ code: id === 'curl' ? '' : id })}
    >
      <CodeBlock label={chosen === 'curl' ? texts.shell : labels.typescript} text={lines[chosen]} />
      {below && <p class="quiet small">{below[chosen]}</p>}
    </Tabs>
  );
}

/** The lines that create a link, and the link once it exists. */
export function CodeStep({ apiKey, example }: { apiKey: string | null; example: Payment | null }) {
  const texts = useStartTexts();
  const { session, may } = useSession();
  const { email, companyId } = session;
  const missing = may('keys:manage') ? texts.keyMissing : texts.keyOfCompany;
  const baseUrl = location.origin;
  const filled = { baseUrl, email, companyId, apiKey: apiKey ?? missing, password: texts.password };
  return (
    <>
      <p>{texts.codeHint}</p>
      {!may('keys:manage') && <p class="notice">{texts.codeHintNoKey}</p>}
      <Examples
        curl={curlLink(filled)}
        typescript={scriptLink(filled)}
        below={{ curl: texts.otpHint, typescript: texts.sdkHint }}
      />
      <div role="status" class={example ? 'notice notice-good' : 'quiet'}>
        {example ? <ExampleReceived payment={example} /> : <p>{texts.codeWaiting}</p>}
      </div>
    </>
  );
}

function ExampleReceived({ payment }: { payment: Payment }) {
  const texts = useStartTexts();
  return (
    <p>
      {texts.codeReceived}{' '}
      <Link href={`/payments/${payment.PaymentLinkCode}`}>
        <bdi>{payment.customerOrderId}</bdi>
      </Link>{' '}
      <Money amount={payment.amount} currency={payment.currency} /> <PaymentBadge payment={payment} />
    </p>
  );
}
