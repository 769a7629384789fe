import { AssayError, checkNoUrlUsers, isAssayError, type ValidationIssue, type WireNames } from "@assay/schemas"
import { Ajv, type ValidateFunction } from "ajv"
import buildSerializer from "fast-json-stringify"
import type { FastifySchemaCompiler, FastifySerializerCompiler } from "fastify"
import { AJV_RULES, withoutIds } from "./compile-check.ts"
import { schemaIssues } from "./schema-issues.ts"
import { unknownQueryKeys } from "./query-keys.ts"
import { vendorSchema } from "./vendor-schema.ts"

/** An error for Fastify that carries the issues of one part of a request. */
function refuse(issues: ValidationIssue[]): { error: AssayError } {
  const [first] = issues
  const text = first === undefined ? "The request is not valid" : `${first.loc.join(".")}: ${first.msg}`
  return { error: new AssayError("invalid_request", text, { issues }) }
}

/** Values of a body up to which all its faults are looked for: with every error of a large one, a list of garbage takes minutes. */
const MAX_VALUES = 5000

/** Whether `value` has few values in it, without looking at many. */
function isSmall(value: unknown): boolean {
  const open = [value]
  for (let seen = 0; open.length > 0; seen++) {
    if (seen + open.length > MAX_VALUES) return false
    const next = open.pop()
    if (typeof next !== "object" || next === null) continue
    const inner: unknown[] = Array.isArray(next) ? next : Object.values(next)
    if (inner.length > MAX_VALUES) return false
    open.push(...inner)
  }
  return true
}

function urlUserIn(body: unknown): AssayError | undefined {
  try {
    checkNoUrlUsers(body, ["body"])
    return undefined
  } catch (error) {
    if (isAssayError(error)) return error
    throw error
  }
}

/**
 * Checks requests against their schemas: bodies as they are, query and path parameters with text read as the type that
 * the schema asks for. Fills defaults; removes nothing, and takes no query parameter that its schema does not name. Of a large body, reports only the first fault. No body may hold an
 * address with a user name or a password.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<unknown> {
  const quick = new Ajv({ ...AJV_RULES, allErrors: false })
  const thorough = new Ajv(AJV_RULES)
  const reading = new Ajv({ ...AJV_RULES, coerceTypes: true })
  return ({ schema, httpPart }) => {
    const root = httpPart === "body" ? "body" : httpPart === "querystring" ? "query" : "path"
    // By the first request that needs it: to compile them all took half of a start.
    const compileOnce = (ajv: Ajv) => {
      let compiled: ValidateFunction | undefined
      return () => (compiled ??= ajv.compile(withoutIds(schema) as object))
    }
    if (root !== "body") {
      const validator = compileOnce(reading)
      const unknownKeys = httpPart === "querystring" ? unknownQueryKeys(schema) : () => []
      return (value: unknown) => {
        const unknown = unknownKeys(value)
        if (unknown.length > 0) return refuse(unknown)
        const validate = validator()
        return validate(value) ? { value } : refuse(schemaIssues(validate.errors ?? [], root))
      }
    }
    const first = compileOnce(quick)
    const all = compileOnce(thorough)
    return (value: unknown) => {
      if (value === undefined || value === null)
        return refuse([{ loc: ["body"], msg: "Field required", type: "missing" }])
      // Before anything else, whose message could show it.
      const refused = urlUserIn(value)
      if (refused !== undefined) return { error: refused }
      const validate = first()
      if (validate(value)) return { value }
      const faults = validate.errors ?? []
      if (!isSmall(value)) return refuse(schemaIssues(faults, root))
      const validateAll = all()
      validateAll(value)
      return refuse(schemaIssues(validateAll.errors ?? faults, root))
    }
  }
}

type WriteAnswer = (answer: unknown) => string

/** What never changes is written once: the registry hands out a listing as the same object until something changes. */
function rememberFrozen(write: WriteAnswer): WriteAnswer {
  const written = new WeakMap<object, string>()
  return (answer) => {
    if (typeof answer !== "object" || answer === null || !Object.isFrozen(answer)) return write(answer)
    let text = written.get(answer)
    if (text === undefined) {
      text = write(answer)
      written.set(answer, text)
    }
    return text
  }
}

/** Writes answers by their schemas, in the words asked for: nothing leaves that no schema names. */
export function createSerializerCompiler(wireNames: WireNames): FastifySerializerCompiler<unknown> {
  // Every route has the same answers for what fails: to read and to build them anew for each takes half of a start.
  const bySchema = new WeakMap<object, WriteAnswer>()
  const byText = new Map<string, WriteAnswer>()

  function build(schema: object): WriteAnswer {
    const plain = withoutIds(schema)
    const wanted = wireNames === "vendor" ? vendorSchema(plain) : plain
    const text = JSON.stringify(wanted)
    const known = byText.get(text)
    if (known !== undefined) return known
    const write = rememberFrozen(buildSerializer(wanted as Parameters<typeof buildSerializer>[0]))
    byText.set(text, write)
    return write
  }

  return ({ schema }) => {
    const key = schema as object
    const known = bySchema.get(key)
    if (known !== undefined) return known
    let built: WriteAnswer | undefined
    const write = (answer: unknown) => (built ??= build(key))(answer)
    bySchema.set(key, write)
    return write
  }
}
