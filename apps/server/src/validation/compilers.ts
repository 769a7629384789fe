import type { WireNames } from "@assay/schemas"
import type { CompileTime } from "@assay/validation"
import type { FastifySchemaCompiler, FastifySerializerCompiler } from "fastify"
import { createValidatorCompiler } from "./request-validator.ts"
import { createSerializerCompiler } from "./response-serializer.ts"

/** The functions that check requests and write responses. Both compile each schema once. */
export interface Compilers {
  readonly validator: FastifySchemaCompiler<unknown>
  readonly serializers: Readonly<Record<WireNames, FastifySerializerCompiler<unknown>>>
}

export function createCompilers(time: CompileTime = {}): Compilers {
  return {
    validator: createValidatorCompiler(time),
    serializers: {
      neutral: createSerializerCompiler("neutral", time),
      vendor: createSerializerCompiler("vendor", time),
    },
  }
}
