// Parses form posts. Only the pages for people accept them; the API accepts JSON only.

import type { HttpServer } from './http-server.ts';

/** Makes a scope parse `application/x-www-form-urlencoded` bodies (WHATWG URL), and nothing else. */
export function useFormParser(scope: HttpServer): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, new URLSearchParams(body as string));
    },
  );
}
