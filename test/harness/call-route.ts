// Calls a route of the route table with the headers and the body of a test.

import type { Json } from './client.ts';
import { type Call, fillPath, type Route } from './route-cases.ts';

/** Returns status, headers, and the body as text and, if it is JSON, as a value. */
export async function callRoute(
  baseUrl: string,
  route: Route,
  { headers = {}, params = {}, body = null, file = null }: Call,
) {
  const sent = file ?? (body === null ? null : { type: 'application/json', text: JSON.stringify(body) });
  const response = await fetch(baseUrl + fillPath(route.path, params), {
    method: route.method,
    headers: { ...headers, ...(sent ? { 'content-type': sent.type } : {}) },
    ...(sent ? { body: sent.text } : {}),
  });
  const text = await response.text();
  const isJson = /json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as Json) : {},
  };
}
