// Compiles a route's serializer at its first response: compiling all of them would take most of the start time.

import { type SerializerCompiler, SerializerSelector } from '@fastify/fast-json-stringify-compiler';

/** Fastify's own compiler, called later. For the server option `schemaController.compilersFactory`. */
export function buildLazySerializer(
  ...context: Parameters<ReturnType<typeof SerializerSelector>>
): SerializerCompiler {
  const compile = SerializerSelector()(...context);
  return (definition) => {
    let serialize: ReturnType<SerializerCompiler> | undefined;
    return (value) => {
      serialize ??= compile(definition);
      return serialize(value);
    };
  };
}
