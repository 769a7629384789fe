import { isExactNumber } from "@assay/json"

/** An error of a value, in the form that Ajv uses. */
export interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
  readonly data?: unknown
}

/** A schema that can check values. */
export interface CompiledSchema {
  readonly isValid: (value: unknown) => boolean
  /** Returns the errors of an invalid value. */
  readonly errorsOf: (value: unknown) => readonly SchemaError[]
}

const MAX_SHOWN_CHARACTERS = 60

/** Formats the fault of a value. A short value is included: "must be <= 1; it is 3.5". */
export function issueMessage(error: SchemaError): string {
  return `${ruleMessage(error)}${SHOW_NO_VALUE.has(error.keyword) ? "" : found(error)}`
}

/** Rules about a property rather than about the value that has or lacks it. */
const SHOW_NO_VALUE: ReadonlySet<string> = new Set([
  "required",
  "dependentRequired",
  "additionalProperties",
  "unevaluatedProperties",
])

/** Formats the rule that a value breaks, without the value: "must be <= 1". */
export function ruleMessage({ keyword, params, message = "is not what the schema asks for" }: SchemaError): string {
  switch (keyword) {
    case "additionalProperties":
      return `must NOT have the property '${String(params["additionalProperty"])}'`
    case "unevaluatedProperties":
      return `must NOT have the property '${String(params["unevaluatedProperty"])}'`
    case "enum":
      return `must be one of ${excerpt(params["allowedValues"])}`
    case "const":
      return `must be ${excerpt(params["allowedValue"])}`
    default:
      return message
  }
}

/** Describes the value, if the error contains it. */
function found(error: SchemaError): string {
  if (!("data" in error)) return ""
  const { data } = error
  if (Array.isArray(data)) return "; it is an array"
  if (typeof data === "object" && data !== null && !isExactNumber(data)) return "; it is an object"
  return `; it is ${excerpt(data)}`
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined"
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}…` : text
}
