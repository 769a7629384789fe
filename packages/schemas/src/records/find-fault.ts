import { TypeRegistry, type TSchema } from "@sinclair/typebox"
import { Value, ValueErrorType, type ValueError } from "@sinclair/typebox/value"

/** A value at the wrong location, or of the wrong type. */
export interface Fault {
  /** The keys that lead to the value. */
  readonly keys: readonly string[]
  readonly msg: string
}

/** Returns the first fault of a value, or undefined if it has the shape of `schema`. It needs no compiler of schemas. */
export function findFault(schema: TSchema, value: unknown): Fault | undefined {
  defineEnumerations()
  if (Value.Check(schema, value)) return undefined
  const fault = Value.Errors(schema, value).First()
  return fault === undefined
    ? { keys: [], msg: "has the wrong shape" }
    : { keys: fault.path.split("/").slice(1), msg: describeFault(fault) }
}

/** Defines what the schemas of `enumeration` and `orNull` mean: TypeBox knows no JSON Schema `enum`, and throws for it until somebody does. */
export function defineEnumerations(): void {
  if (!TypeRegistry.Has("Unsafe")) TypeRegistry.Set("Unsafe", isListed)
}

/** Checks a value against a schema of `enumeration` or `orNull`. */
function isListed(schema: unknown, value: unknown): boolean {
  const { type, enum: listed } = schema as {
    readonly type?: string | readonly string[]
    readonly enum?: readonly unknown[]
  }
  if (listed !== undefined) return listed.includes(value)
  const types = type === undefined ? [] : [type].flat()
  const own = value === null ? "null" : typeof value
  return types.length === 0 || types.includes(own) || (types.includes("integer") && Number.isInteger(value))
}

function describeFault({ type, schema, message }: ValueError): string {
  const listed: unknown = schema["enum"]
  if (type === ValueErrorType.Kind && Array.isArray(listed)) return `expected one of ${listed.join(", ")}`
  return message.toLowerCase()
}
