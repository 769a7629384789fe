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
  const { keyword, params, message = "is not what the schema asks for" } = error
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return message
    case "additionalProperties":
      return `must NOT have the property '${String(params["additionalProperty"])}'`
    case "unevaluatedProperties":
      return `must NOT have the property '${String(params["unevaluatedProperty"])}'`
    case "enum":
      return `must be one of ${excerpt(params["allowedValues"])}${found(error)}`
    case "const":
      return `must be ${excerpt(params["allowedValue"])}${found(error)}`
    default:
      return `${message}${found(error)}`
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
