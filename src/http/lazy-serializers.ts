// Builds what writes the answers of a route when the route first answers, not at start: most of a hundred routes are
// called rarely, and building for all of them takes longer than all else that the server prepares. It must never
// change what is written: the schema still decides which fields leave.

import type { HttpServer } from './http-server.ts';

type Serializer = ReturnType<NonNullable<HttpServer['serializerCompiler']>>;

/** Builds by the server's own compiler. Call it before the first route is registered. */
export function useLazySerializers(app: HttpServer): void {
  let hasCompiler = false;
  app.addHook('onRoute', (route) => {
    if (!route.schema?.response || route.serializerCompiler) return;
    // The server makes its compiler for the first route that brings none, and all others use that one.
    if (!hasCompiler) {
      hasCompiler = true;
      return;
    }
    route.serializerCompiler = (definition) => {
      let write: Serializer | undefined;
      return (answer) => {
        write ??= app.serializerCompiler?.(definition);
        if (!write) throw new Error(`no compiler for the answers of ${definition.url}`);
        return write(answer);
      };
    };
  });
}
