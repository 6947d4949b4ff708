// One request of the log, with its bodies. What strangers sent is shown only as text.

import { Link, useParams } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Facts, Page, QueryContent, Section } from '../../parts/page.tsx';
import { CodeBlock, CopyButton, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { RequestDuration, StatusBadge } from './request-values.tsx';
import { useRequestTexts } from './texts.ts';
import './requests.css';

type RequestDetails = OperationResponse<'getRequest'>;

function About({ request }: { request: RequestDetails }) {
  const texts = useRequestTexts();
  const { yes } = useCommonTexts();
  const { requestId, createdAt, method, path, query, status, errorCode, durationMs } = request;
  const { keyId, actor, clientAddress, idempotentReplayed } = request;
  const mono = (text: string) => <bdi class="mono request-line">{text}</bdi>;
  return (
    <Section title={`${method} ${path}`} actions={<CopyButton text={requestId} />}>
      <Facts
        items={[
          [texts.requestId, mono(requestId)],
          [texts.time, <Moment key="at" at={createdAt} isExact />],
          [texts.status, <StatusBadge key="status" status={status} errorCode={null} />],
          ...(errorCode ? [[texts.error, mono(errorCode)] as const] : []),
          [texts.duration, <RequestDuration key="ms" ms={durationMs} />],
          ...(query === null ? [] : [[texts.query, mono(query)] as const]),
          [texts.apiKey, keyId === null ? texts.dashboard : mono(keyId)],
          [texts.actor, mono(actor)],
          [texts.client, mono(clientAddress)],
          ...(idempotentReplayed ? [[texts.replayed, yes] as const] : []),
        ]}
      />
    </Section>
  );
}

function Body({ title, text }: { title: string; text: string | null }) {
  const { noBody } = useRequestTexts();
  if (text === null) return <p class="quiet">{`${title}: ${noBody}`}</p>;
  return (
    <div class="code-tall">
      <CodeBlock label={title} text={indent(text)} />
    </div>
  );
}

/** A body that was cut is no JSON any more. */
function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export default function RequestScreen() {
  const texts = useRequestTexts();
  const { requestId = '' } = useParams<{ requestId: string }>();
  const result = useApiQuery('getRequest', { path: { requestId } });
  return (
    <Page title={texts.title} above={<Link href="/requests">← {texts.back}</Link>}>
      <QueryContent result={result} rows={6}>
        {(request) => (
          <>
            <About request={request} />
            <Section hint={texts.bodyHint}>
              <Body title={texts.requestBody} text={request.requestBody} />
              <Body title={texts.responseBody} text={request.responseBody} />
            </Section>
          </>
        )}
      </QueryContent>
    </Page>
  );
}
