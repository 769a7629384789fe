import { Ajv, type Options } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import type { JsonSchema } from "../json-schema.ts"
import { exactMultipleOf, linearUniqueItems } from "./ajv-keywords.ts"
import type { Dialect } from "./dialect.ts"
import { compileLinearPattern } from "./linear-pattern.ts"

/**
 * A validator for schemas of users. Unknown keywords and `format` are annotations, as 2020-12 has it by default;
 * nothing is fetched, and no pattern can hang it.
 */
export function createAjv(dialect: Dialect, options: Options = {}): Ajv {
  const settings: Options = {
    ...options,
    strict: false,
    validateFormats: false,
    logger: false,
    code: { regExp: Object.assign((pattern: string) => compileLinearPattern(pattern), { code: "" }) },
  }
  const ajv = dialect === "2020-12" ? new Ajv2020(settings) : new Ajv(settings)
  // Schemas with `unevaluated*` are compiled elsewhere. For all others, the code that notes what was evaluated is work for
  // nothing, and it fails with a TypeError where `oneOf` meets `patternProperties`.
  ajv.opts.unevaluated = false
  ajv.removeKeyword("uniqueItems").addKeyword(linearUniqueItems)
  return ajv.removeKeyword("multipleOf").addKeyword(exactMultipleOf)
}

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
