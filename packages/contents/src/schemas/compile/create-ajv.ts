import { Ajv, type Options } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import type { JsonSchema } from "../json-schema.ts"
import { exactMultipleOf, linearUniqueItems } from "./ajv-keywords.ts"
import type { Dialect } from "./dialect.ts"
import { compileLinearPattern } from "./linear-pattern.ts"

/** The longest text of a schema that a message repeats. */
const MAX_GIVEN_LENGTH = 40

/**
 * Creates a validator for schemas of users. Unknown keywords and `format` are annotations, which is the default of
 * 2020-12. Nothing is fetched, and every pattern runs in linear time.
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
  // Schemas with `unevaluated*` are compiled elsewhere. For all others, tracking evaluated parts is unnecessary, and it
  // fails with a TypeError if `oneOf` contains `patternProperties`.
  ajv.opts.unevaluated = false
  ajv.removeKeyword("uniqueItems").addKeyword(linearUniqueItems)
  return ajv.removeKeyword("multipleOf").addKeyword(exactMultipleOf)
}

/** Checks that schemas are valid JSON Schema. */
export interface SchemaSyntax {
  /** @throws `Error` whose message says, as the end of a sentence about the schema, what is wrong with it */
  readonly check: (schema: JsonSchema, dialect: Dialect) => void
}

/**
 * Creates a syntax check. The schema of each dialect is compiled when it is first needed, because that takes longer
 * than compiling most schemas.
 */
export function createSchemaSyntax(): SchemaSyntax {
  const known = new Map<Dialect, Ajv>()
  return {
    check(schema, dialect) {
      const ajv = known.get(dialect) ?? createAjv(dialect, { verbose: true })
      known.set(dialect, ajv)
      // Ajv knows the address of the dialect in only one spelling.
      const { $schema: _known, ...rest } = schema
      if (ajv.validateSchema(rest) === true) return
      const [first] = ajv.errors ?? []
      const problem = `'${first?.instancePath ?? ""}' ${first?.message ?? ""}`
      throw new Error(`is not JSON Schema ${dialect}: ${problem}${given(first?.data)}`)
    },
  }
}

/** Says what stands at the place, if that is short: a misspelt type is found by its text. */
function given(value: unknown): string {
  const isShort = typeof value === "string" && value.length <= MAX_GIVEN_LENGTH
  return isShort ? `, which ${JSON.stringify(value)} is not` : ""
}
