import { AssayError } from "@assay/schemas/errors"
import type { Ajv } from "ajv"
import { compileComplete, needsComplete } from "../complete/compile-complete.ts"
import { isJsonObject, type JsonSchema } from "../json-schema.ts"
import type { CompiledSchema } from "./compiled-schema.ts"
import { createAjv, type SchemaSyntax } from "./create-ajv.ts"
import { dialectOf, type Dialect } from "./dialect.ts"
import { compileLinearPattern } from "./linear-pattern.ts"
import { definitionId, linkDefinitions } from "./link-definitions.ts"
import { mapSchema } from "./map-schema.ts"

export interface CompileOptions {
  /** All that is wrong with a value, not just the first. */
  readonly allErrors: boolean
  /** Checks that the schemas are JSON Schema; null if that is known of them. */
  readonly syntax: SchemaSyntax | null
  /** Whether it is not to be code, so that it takes exact numbers. Default: only where Ajv would get it wrong. */
  readonly isComplete?: boolean
}

/** Names that every object answers to, whether a row has them or not: Ajv is to ask for own properties then. */
const namesOfEveryObject = new RegExp(`"(?:${Object.getOwnPropertyNames(Object.prototype).join("|")})"`)

/**
 * Compiles `schema` into code, or into what is slower and complete if Ajv would get it wrong. It reaches `definitions` by `#/schema_defs/<name>`.
 * @throws `Error` whose message says, as the end of a sentence about the schema, why it can't be one; `schema_too_costly` if
 * compilation needs more stack than the thread has
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
  const isComplete = isAsked || documents.some((document) => needsComplete(document, dialect))
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

/** Compilers recurse once for each alternative, so a wide schema can reach the end of the stack before any limit of time. */
function isStackOverflow(error: unknown): error is RangeError {
  return error instanceof RangeError && error.message === "Maximum call stack size exceeded"
}

function tooDeep(cause: RangeError): AssayError {
  const message =
    "The schemas take more stack than a thread has to compile; make them smaller, with fewer alternatives and references."
  return new AssayError("schema_too_costly", message, { cause })
}

/** The schema of a dialect, or a part of it, by its address. */
function dialectSchema(ajv: Ajv, address: string): JsonSchema | undefined {
  const { schema } = ajv.getSchema(address) ?? {}
  return isJsonObject(schema) ? schema : undefined
}

function checkDialect(dialect: Dialect, schema: JsonSchema): void {
  const own = dialectOf(schema) ?? dialect
  if (own !== dialect) throw new Error(`is of ${own}, and is reached from a schema of ${dialect}`)
  mapSchema(schema, refuseAsync)
}

function checkSyntax(syntax: SchemaSyntax | null, schema: JsonSchema, dialect: Dialect): void {
  if (syntax === null) return
  syntax.check(schema, dialect)
  mapSchema(schema, checkPatterns)
}

/** Compiles the patterns of names: Ajv passes over those whose schema accepts everything. */
function checkPatterns(schema: JsonSchema): JsonSchema {
  const { patternProperties } = schema
  if (isJsonObject(patternProperties)) Object.keys(patternProperties).forEach(compileLinearPattern)
  return schema
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
