// Compiles the validators and the serializers of a route when its first request needs them: compiling all of them would
// take most of the start time.

import AjvCompiler from '@fastify/ajv-compiler';
import { type SerializerCompiler, SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type BuildValidators = AjvCompiler.BuildCompilerFromPool;
type Validator = ReturnType<ReturnType<BuildValidators>>;

/** Fastify's own compilers, called later. For the server option `schemaController.compilersFactory`. */
export const lazyCompilers = {
  buildValidator: (...context: Parameters<BuildValidators>): ReturnType<BuildValidators> => {
    const compile = AjvCompiler()(...context);
    return (definition) => {
      let validate: Validator | undefined;
      // Fastify reads the errors from the function that it calls.
      const lazy = (value: unknown) => {
        validate ??= compile(definition);
        const result = validate(value);
        Object.assign(lazy, { errors: validate.errors });
        return result;
      };
      return lazy as Validator;
    };
  },
  buildSerializer: (...context: Parameters<ReturnType<typeof SerializerSelector>>): SerializerCompiler => {
    const compile = SerializerSelector()(...context);
    return (definition) => {
      let serialize: ReturnType<SerializerCompiler> | undefined;
      return (value) => {
        serialize ??= compile(definition);
        return serialize(value);
      };
    };
  },
};
