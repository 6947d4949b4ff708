// The request log of a service under test. Calls are recorded after their response was sent.

import { newId } from '../../src/base/ids.ts';
import type { NewCall } from '../../src/request-log/store.ts';
import { type Credentials, call, type Json } from './client.ts';
import type { Paylink } from './paylink.ts';
import { until } from './process.ts';

/** The rows with a request ID, once there are any. */
export async function waitForCall(paylink: Paylink, requestId: string): Promise<Json> {
  let rows: Json[] = [];
  await until(async () => {
    await paylink.app.requestLog.flush();
    const text = 'select to_jsonb(r) as row from api_requests r where request_id = $1';
    const found = await paylink.app.deps.db.asOwner.query(text, [requestId]);
    rows = found.map(({ row }) => row as Json);
    return rows.length > 0;
  }, `the call ${requestId} in the request log`);
  return rows[0] ?? {};
}

/** The path parameter of a call that the log has. */
export async function recordedRequest({
  paylink,
  credentials,
}: {
  paylink: Paylink;
  credentials: Credentials;
}): Promise<{ requestId: string }> {
  const { headers } = await call(paylink, credentials, ['GET', '/v1/me']);
  const requestId = String(headers.get('x-request-id'));
  await waitForCall(paylink, requestId);
  return { requestId };
}

/** A call of a company, as it is written. */
export const sampleCall = (companyId: string): NewCall => ({
  ...{ companyId, mode: 'test', logId: newId('rql', new Date()), requestId: 'req_1', at: new Date() },
  ...{
    method: 'GET',
    path: '/v1/me',
    query: null,
    status: 200,
    durationMs: 1,
    actor: 'account:x',
    keyId: null,
  },
  ...{ client: '127.0.0.1', errorCode: null, isReplay: false, requestBody: null, responseBody: null },
});
