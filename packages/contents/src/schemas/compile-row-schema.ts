import type { Ajv, ValidateFunction } from "ajv"
import { createAjv } from "./create-ajv.ts"
import { dialectOf, type Dialect } from "./dialect.ts"
import type { JsonSchema } from "./json-schema.ts"
import { definitionId, linkDefinitions } from "./link-definitions.ts"
import { mapSchema } from "./map-schema.ts"

export interface CompileOptions {
  /** All that is wrong with a value, not just the first. */
  readonly allErrors: boolean
  /** Whether the schemas are known to be JSON Schema. To hold them against their own schema takes most of the time. */
  readonly isChecked: boolean
}

/** Names that every object answers to, whether a row has them or not: Ajv is to ask for own properties then. */
const namesOfEveryObject = new RegExp(`"(?:${Object.getOwnPropertyNames(Object.prototype).join("|")})"`)

/**
 * The function that holds a value against `schema`, which reaches `definitions` by `#/schema_defs/<name>`.
 * @throws `Error` whose message says, as the end of a sentence about the schema, why it can't be one
 */
export function compileRowSchema(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  { allErrors, isChecked }: CompileOptions,
): ValidateFunction {
  const dialect = dialectOf(schema) ?? "2020-12"
  const ownProperties = namesOfEveryObject.test(JSON.stringify([schema, definitions]))
  const ajv = createAjv(dialect, { allErrors, verbose: allErrors, ownProperties, validateSchema: false })
  const linked = linkDefinitions(schema, definitions)
  checkDialect(dialect, linked.schema)
  if (!isChecked) checkSchema(ajv, dialect, linked.schema)
  for (const [name, definition] of linked.definitions) {
    try {
      checkDialect(dialect, definition)
      if (!isChecked) checkSchema(ajv, dialect, definition)
      ajv.addSchema(definition, definitionId(name))
    } catch (error) {
      throw new Error(`refers to '${name}', which ${reasonOf(error)}`, { cause: error })
    }
  }
  try {
    return ajv.compile(linked.schema)
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error })
  }
}

function checkDialect(dialect: Dialect, schema: JsonSchema): void {
  const own = dialectOf(schema) ?? dialect
  if (own !== dialect) throw new Error(`is of ${own}, and is reached from a schema of ${dialect}`)
  mapSchema(schema, refuseAsync)
}

function checkSchema(ajv: Ajv, dialect: Dialect, schema: JsonSchema): void {
  // Ajv knows the address of the dialect in one spelling only.
  const { $schema: _known, ...rest } = schema
  if (ajv.validateSchema(rest) === true) return
  const [first] = ajv.errors ?? []
  throw new Error(`is not JSON Schema ${dialect}: '${first?.instancePath ?? ""}' ${first?.message ?? ""}`)
}

/** Ajv's own keyword would make a promise of each answer, and a promise passes for a yes. */
function refuseAsync(schema: JsonSchema): JsonSchema {
  if ("$async" in schema) throw new Error("has the keyword $async, which is not JSON Schema; leave it out")
  return schema
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && "missingRef" in error) {
    return (
      `refers to '${String(error.missingRef)}', which is not in it; nothing is fetched: put it into schema_defs and ` +
      "write '#/schema_defs/<name>'"
    )
  }
  return error instanceof Error ? error.message : "can't be compiled"
}
