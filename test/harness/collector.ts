// A collector of OpenTelemetry: receives OTLP over HTTP, keeps every byte, and reads the JSON form.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type Post = { path: string; headers: IncomingMessage['headers']; body: Buffer };

export type CollectedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  attributes: Record<string, string | number>;
  links: { traceId: string; spanId: string }[];
  isFailed: boolean;
  resource: Record<string, string | number>;
};

export type Collector = {
  url: string;
  host: string;
  posts: Post[];
  /** How it answers from now on; by default with 200. */
  behave(answer: (response: ServerResponse) => void): void;
  /** The spans that arrived as JSON. */
  spans(): CollectedSpan[];
  /** The names of the metrics that arrived as JSON, each with the attributes of its points. */
  metrics(): Map<string, Record<string, string | number>[]>;
  close(): Promise<void>;
};

type OtlpAttribute = {
  key: string;
  value: { stringValue?: string; intValue?: number; doubleValue?: number };
};
type OtlpSpan = Omit<CollectedSpan, 'attributes' | 'isFailed' | 'resource'> & {
  attributes?: OtlpAttribute[];
  status?: { code?: number };
};
type OtlpPoint = { attributes?: OtlpAttribute[] };
type OtlpMetric = Record<'sum' | 'gauge' | 'histogram', { dataPoints: OtlpPoint[] } | undefined> & {
  name: string;
};
type Otlp = {
  resourceSpans?: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: OtlpMetric[] }[] }[];
};

const failed = 2;

function toRecord(attributes: readonly OtlpAttribute[] = []): Record<string, string | number> {
  const entries = attributes.map(({ key, value }) => {
    const { stringValue, intValue, doubleValue } = value;
    return [key, stringValue ?? Number(intValue ?? doubleValue)] as const;
  });
  return Object.fromEntries(entries);
}

function spansOf({ resourceSpans = [] }: Otlp): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        links: span.links ?? [],
        attributes: toRecord(span.attributes),
        isFailed: span.status?.code === failed,
        resource: toRecord(resource.attributes),
      })),
    ),
  );
}

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  const posts: Post[] = [];
  let answer = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    posts.push({ path: request.url ?? '', headers: request.headers, body });
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const documents = (path: string) =>
    posts.filter((post) => post.path === path).map(({ body }) => JSON.parse(body.toString()) as Otlp);
  return {
    url: `http://${host}`,
    host,
    posts,
    behave: (wanted) => {
      answer = wanted;
    },
    spans: () => documents('/v1/traces').flatMap(spansOf),
    metrics: () => {
      const found = new Map<string, Record<string, string | number>[]>();
      const all = documents('/v1/metrics').flatMap(({ resourceMetrics = [] }) =>
        resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
      );
      for (const { name, sum, gauge, histogram } of all) {
        const points = (sum ?? gauge ?? histogram)?.dataPoints ?? [];
        found.set(name, [
          ...(found.get(name) ?? []),
          ...points.map(({ attributes }) => toRecord(attributes)),
        ]);
      }
      return found;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
