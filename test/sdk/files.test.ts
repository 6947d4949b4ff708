// Uploads of the SDK: the type of a file.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPaylink } from '../../sdk/src/index.ts';
import { openStub, type Stub } from './stub.ts';

let stub: Stub;
before(async () => {
  stub = await openStub();
});
after(async () => await stub.stop());

test('a file has the type of its Blob if an operation takes several, and another body is refused unsent', async () => {
  const credentials = { token: 't', apiKey: 'k', companyId: 'co_1' };
  const { company } = createPaylink({ baseUrl: stub.baseUrl, credentials });
  await company.uploadLogo(new Blob(['<svg/>'], { type: 'Image/SVG+XML; charset=utf-8' }));
  assert.equal(stub.calls[0]?.headers['content-type'], 'image/svg+xml');
  for (const body of ['<svg/>', new Uint8Array(1), new Blob(['x']), new Blob(['x'], { type: 'image/gif' })])
    await assert.rejects(
      async () => await company.uploadLogo(body),
      (error) =>
        error instanceof TypeError &&
        /Blob with one of the types image\/png, image\/svg\+xml/.test(error.message),
    );
  assert.equal(stub.calls.length, 1);
});
