// Compiles the validators and the serializers of a route when its first request needs them: compiling all of them would
// take most of the start time.

import AjvCompiler from '@fastify/ajv-compiler';
import { type SerializerCompiler, SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type BuildValidators = AjvCompiler.BuildCompilerFromPool;
type Validator = ReturnType<ReturnType<BuildValidators>>;

/**
 * Fastify asks for compilers at each route that follows a shared schema. The first of these returns the same compiler for the
 * same shared schemas: a new one compiles all of them, which took most of the start time.
 */
const validatorsOf = AjvCompiler();
const serializersOf = SerializerSelector();

/** Fastify's own compilers, called later. For the server option `schemaController.compilersFactory`. */
export const lazyCompilers = {
  buildValidator: (...context: Parameters<BuildValidators>): ReturnType<BuildValidators> => {
    let compile: ReturnType<BuildValidators> | undefined;
    return (definition) => {
      let validate: Validator | undefined;
      // Fastify reads the errors from the function that it calls.
      const lazy = (value: unknown) => {
        compile ??= validatorsOf(...context);
        validate ??= compile(definition);
        const result = validate(value);
        Object.assign(lazy, { errors: validate.errors });
        return result;
      };
      return lazy as Validator;
    };
  },
  buildSerializer: (...context: Parameters<ReturnType<typeof SerializerSelector>>): SerializerCompiler => {
    let compile: SerializerCompiler | undefined;
    return (definition) => {
      let serialize: ReturnType<SerializerCompiler> | undefined;
      return (value) => {
        compile ??= serializersOf(...context);
        serialize ??= compile(definition);
        return serialize(value);
      };
    };
  },
};
