import type { Ajv } from "ajv"
import { createAjv } from "./create-ajv.ts"
import type { Dialect } from "./dialect.ts"
import type { JsonSchema } from "../json-schema.ts"

/** Checks that schemas are JSON Schema. */
export interface SchemaSyntax {
  /** @throws `Error` whose message says, as the end of a sentence about the schema, what is wrong with it */
  readonly check: (schema: JsonSchema, dialect: Dialect) => void
}

/** The schema of each dialect is compiled once, with the first schema that is checked. It takes longer than most schemas. */
export function createSchemaSyntax(): SchemaSyntax {
  const known = new Map<Dialect, Ajv>()
  return {
    check(schema, dialect) {
      const ajv = known.get(dialect) ?? createAjv(dialect)
      known.set(dialect, ajv)
      // Ajv knows the address of the dialect in one spelling only.
      const { $schema: _known, ...rest } = schema
      if (ajv.validateSchema(rest) === true) return
      const [first] = ajv.errors ?? []
      throw new Error(`is not JSON Schema ${dialect}: '${first?.instancePath ?? ""}' ${first?.message ?? ""}`)
    },
  }
}
