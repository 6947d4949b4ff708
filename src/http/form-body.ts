// Reads form posts. Only pages that people see take them; the API takes JSON alone.

import type { HttpServer } from './http-server.ts';

/** Makes a scope read `application/x-www-form-urlencoded` bodies (WHATWG URL), and nothing else. */
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
