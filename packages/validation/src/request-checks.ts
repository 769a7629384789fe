import { Ajv, type ValidateFunction } from "ajv"
import { AssayError, isAssayError, type ValidationIssue, checkNoUrlUsers } from "@assay/schemas"
import { AJV_RULES, withoutIds } from "./compile-check.ts"
import { numberReader } from "./number-parameters.ts"
import { schemaIssues } from "./schema-issues.ts"
import { unknownQueryKeys } from "./unknown-query-keys.ts"

/** A part of a request, named as in the locations of its issues. */
export type RequestPart = "body" | "query" | "path"

/** Returns a value with its defaults, or `invalid_request` with its issues. */
type RequestCheck = (value: unknown) => { readonly value: unknown } | { readonly error: AssayError }

/** When schemas are compiled: for the first request that needs them, or at once. All together take most of a second. */
export interface CompileTime {
  /** Default false. */
  readonly isEager?: boolean | undefined
}

/**
 * Creates the checks of requests. Bodies are checked as they are. Query and path parameters are converted to the type in
 * their schema first; numbers are decimal. A check fills defaults, removes nothing, and refuses query parameters that the schema does not name.
 * For a large body it reports only the first error. It refuses bodies with a URL that contains a user name or a password.
 */
export function createRequestChecks(time: CompileTime = {}): (schema: unknown, part: RequestPart) => RequestCheck {
  const quick = createCompile(new Ajv({ ...AJV_RULES, allErrors: false }), time)
  // Only for bodies with an error.
  const thorough = createCompile(new Ajv(AJV_RULES), {})
  const reading = createCompile(new Ajv({ ...AJV_RULES, coerceTypes: true }), time)
  return (schema, part) => {
    if (part !== "body") return parameterCheck(reading(schema), schema, part)
    return bodyCheck(quick(schema), thorough(schema))
  }
}

type Compiled = () => ValidateFunction

function createCompile(ajv: Ajv, { isEager = false }: CompileTime): (schema: unknown) => Compiled {
  // Several routes have the same schema.
  const byText = new Map<string, ValidateFunction>()
  return (schema) => {
    const compile = () => {
      const plain = withoutIds(schema) as object
      const text = JSON.stringify(plain)
      const validate = byText.get(text) ?? ajv.compile(plain)
      byText.set(text, validate)
      return validate
    }
    let compiled = isEager ? compile() : undefined
    return () => (compiled ??= compile())
  }
}

function parameterCheck(validator: Compiled, schema: unknown, part: "query" | "path"): RequestCheck {
  const unknownKeys = part === "query" ? unknownQueryKeys(schema) : () => []
  const readNumbers = numberReader(schema, part)
  return (value) => {
    const unknown = unknownKeys(value)
    if (unknown.length > 0) return refuse(unknown)
    const wrong = readNumbers(value)
    if (wrong.length > 0) return refuse(wrong)
    const validate = validator()
    return validate(value) ? { value } : refuse(schemaIssues(validate.errors ?? [], part))
  }
}

/** @param first stops at the first error */
function bodyCheck(first: Compiled, all: Compiled): RequestCheck {
  return (value) => {
    if (value === undefined || value === null)
      return refuse([{ loc: ["body"], msg: "Field required", type: "missing" }])
    // Checked first, because the message of another check could contain the password.
    const refused = urlUserIn(value)
    if (refused !== undefined) return { error: refused }
    const validate = first()
    if (validate(value)) return { value }
    const faults = validate.errors ?? []
    if (!isSmall(value)) return refuse(schemaIssues(faults, "body"))
    const validateAll = all()
    validateAll(value)
    return refuse(schemaIssues(validateAll.errors ?? faults, "body"))
  }
}

function refuse(issues: ValidationIssue[]): { readonly error: AssayError } {
  const [first] = issues
  const text = first === undefined ? "The request is not valid" : `${first.loc.join(".")}: ${first.msg}`
  return { error: new AssayError("invalid_request", text, { issues }) }
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

/** Maximum number of values of a body in which all errors are reported. For a large list of garbage that would take minutes. */
const MAX_VALUES = 5000

/** Returns whether `value` contains at most `MAX_VALUES` values. Visits no more than that. */
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
