// Compiles the serializers of a route at its first response, not at start: most of the hundred routes are
// called rarely, and compiling all of them takes longer than the rest of the start. Must not: change what is
// written. The schema still decides which fields are sent.

import type { HttpServer } from './http-server.ts';

type Serializer = ReturnType<NonNullable<HttpServer['serializerCompiler']>>;

/** Uses the server's own compiler. Call it before registering the first route. */
export function useLazySerializers(app: HttpServer): void {
  let hasCompiler = false;
  app.addHook('onRoute', (route) => {
    if (!route.schema?.response || route.serializerCompiler) return;
    // The server creates its compiler for the first route without one, and all others use it.
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
