import { AssayError, messageOf } from "@assay/schemas/errors"
import { nearestNumbers } from "@assay/json"
import type { Ajv } from "ajv"
import { compileComplete, needsComplete } from "../complete/compile-complete.ts"
import { isJsonObject, type JsonSchema } from "../json-schema.ts"
import type { CompiledSchema } from "./compiled-schema.ts"
import { createAjv, type SchemaSyntax } from "./create-ajv.ts"
import { dialectOf, type Dialect } from "./dialect.ts"
import { compileLinearPattern } from "./linear-pattern.ts"
import { definitionId, linkDefinitions, mapSchema } from "./link-definitions.ts"

export interface CompileOptions {
  /** Whether to report all errors of a value, or only the first. */
  readonly allErrors: boolean
  /** Checks that the schemas are valid JSON Schema. Null if they were checked before. */
  readonly syntax: SchemaSyntax | null
  /**
   * Whether to interpret the schema instead of generating code, which is needed for exact numbers. Default: only if Ajv
   * would get the schema wrong.
   */
  readonly isComplete?: boolean | undefined
}

/** Names that every object inherits. If a schema uses one, Ajv must check own properties only. */
const namesOfEveryObject = new RegExp(`"(?:${Object.getOwnPropertyNames(Object.prototype).join("|")})"`)

/**
 * Compiles `schema` into code, or into a slower interpreter if Ajv would get it wrong. It reaches `definitions` by
 * `#/schema_defs/<name>`.
 * @throws `Error` whose message says, as the end of a sentence about the schema, why it is invalid; `schema_too_costly`
 * if compilation needs more stack than the thread has
 */
export function compileRowSchema(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  { allErrors, syntax, isComplete: isAsked = false }: CompileOptions,
): CompiledSchema {
  const dialect = dialectOf(schema) ?? "2020-12"
  const ownProperties = namesOfEveryObject.test(JSON.stringify([schema, definitions]))
  const ajv = createAjv(dialect, { allErrors, verbose: allErrors, ownProperties, validateSchema: false })
  const linked = linkDefinitions(schema, definitions)
  checkDialect(dialect, linked.schema)
  checkSyntax(syntax, linked.schema, dialect)
  const documents = [linked.schema, ...linked.definitions.values()]
  const isComplete =
    isAsked || documents.some((document) => needsComplete(document, dialect) || nearestNumbers(document) !== document)
  for (const [name, definition] of linked.definitions) {
    try {
      checkDialect(dialect, definition)
      checkSyntax(syntax, definition, dialect)
      if (!isComplete) ajv.addSchema(definition, definitionId(name))
    } catch (error) {
      throw new Error(`refers to '${name}', which ${reasonOf(error)}`, { cause: error })
    }
  }
  try {
    if (isComplete) return compileComplete(linked, { dialect, findKnown: (address) => dialectSchema(ajv, address) })
    const validate = ajv.compile(linked.schema)
    return {
      isValid: (value) => validate(value),
      errorsOf: (value) => (validate(value) ? [] : (validate.errors ?? [])),
    }
  } catch (error) {
    if (isStackOverflow(error)) throw tooDeep(error)
    throw new Error(reasonOf(error), { cause: error })
  }
}

/**
 * Returns whether the stack overflowed. Compilers recurse once per alternative, so a wide schema can exhaust the stack
 * before any time limit.
 */
function isStackOverflow(error: unknown): error is RangeError {
  return error instanceof RangeError && error.message === "Maximum call stack size exceeded"
}

function tooDeep(cause: RangeError): AssayError {
  const message =
    "The schemas take more stack than a thread has to compile; make them smaller, with fewer alternatives and references."
  return new AssayError("schema_too_costly", message, { cause })
}

/** Returns the schema of a dialect, or a part of it, by its address. */
function dialectSchema(ajv: Ajv, address: string): JsonSchema | undefined {
  const { schema } = ajv.getSchema(address) ?? {}
  return isJsonObject(schema) ? schema : undefined
}

function checkDialect(dialect: Dialect, schema: JsonSchema): void {
  const own = dialectOf(schema) ?? dialect
  if (own !== dialect) throw new Error(`is of ${own}, but is referred to from a schema of ${dialect}`)
  mapSchema(schema, refuseAsync)
}

function checkSyntax(syntax: SchemaSyntax | null, schema: JsonSchema, dialect: Dialect): void {
  if (syntax === null) return
  syntax.check(nearestNumbers(schema) as JsonSchema, dialect)
  mapSchema(schema, checkPatterns)
}

/** Compiles the patterns of property names. Ajv skips patterns whose schema accepts everything. */
function checkPatterns(schema: JsonSchema): JsonSchema {
  const { patternProperties } = schema
  if (isJsonObject(patternProperties)) Object.keys(patternProperties).forEach(compileLinearPattern)
  return schema
}

/** Refuses `$async`. With this keyword of Ajv, the result of a check is a promise, which counts as true. */
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
  return messageOf(error)
}
