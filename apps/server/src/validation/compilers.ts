import type { WireNames } from "@assay/schemas"
import type { FastifySchemaCompiler, FastifySerializerCompiler } from "fastify"
import { createValidatorCompiler } from "./request-validator.ts"
import { createSerializerCompiler } from "./response-serializer.ts"

/** What checks requests and writes responses. Both compile each schema once, when it is first needed. */
export interface Compilers {
  readonly validator: FastifySchemaCompiler<unknown>
  readonly serializers: Readonly<Record<WireNames, FastifySerializerCompiler<unknown>>>
}

export function createCompilers(): Compilers {
  return {
    validator: createValidatorCompiler(),
    serializers: { neutral: createSerializerCompiler("neutral"), vendor: createSerializerCompiler("vendor") },
  }
}
