import { AssayError } from "@assay/schemas"
import { parseJsonExactly } from "@assay/json"
import type { ParameterType } from "./argument-answers.ts"
import { isDict, type PythonDict, type PythonKind } from "./python-values.ts"

/** A function that the model was given. */
export interface ToolFunction {
  readonly parameters: ReadonlyMap<string, ParameterType>
  readonly required: readonly string[]
}

/** An expected call. */
export interface ExpectedCall {
  readonly name: string
  /** The possible values of each parameter. An empty text among them means that it may be left out. */
  readonly answers: Readonly<Record<string, readonly unknown[]>>
}

/** The types of BFCL, and those of JSON Schema that it writes in another way. */
const KINDS: Readonly<Record<string, PythonKind>> = {
  string: "str",
  integer: "int",
  float: "float",
  number: "float",
  boolean: "bool",
  array: "list",
  tuple: "list",
  dict: "dict",
  object: "dict",
  any: "str",
}

/**
 * Reads functions in the form of BFCL, `[{ name, parameters: { properties, required } }]`, or of chat completions, where each is under
 * `function`.
 * @throws `rows_invalid`
 */
export function readFunctions(value: unknown): ReadonlyMap<string, ToolFunction> {
  const functions = new Map<string, ToolFunction>()
  for (const entry of listOf(value, "functions")) {
    const described = isDict(entry) && isDict(entry["function"]) ? entry["function"] : entry
    if (!isDict(described) || typeof described["name"] !== "string")
      throw malformed("functions", "has one without a name")
    const { name } = described
    const parameters = dictOf(described["parameters"])
    const required = Array.isArray(parameters["required"]) ? parameters["required"].map(String) : []
    const types = Object.entries(dictOf(parameters["properties"])).map(
      ([key, property]) => [key, typeOf(property, `${name}.${key}`)] as const,
    )
    if (!functions.has(name)) functions.set(name, { parameters: new Map(types), required })
  }
  return functions
}

function typeOf(property: unknown, path: string): ParameterType {
  const { type, items } = dictOf(property)
  const kind = kindOf(type, path)
  if (kind !== "list" || dictOf(items)["type"] === undefined) return { kind }
  return { kind, items: kindOf(dictOf(items)["type"], `${path}.items`) }
}

function kindOf(type: unknown, path: string): PythonKind {
  const kind = typeof type === "string" && Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
  if (kind !== undefined) return kind
  throw malformed("functions", `has no known type for '${path}'; use one of ${Object.keys(KINDS).join(", ")}`)
}

/** Maximum number of calls, because each is compared with each. */
const MAX_CALLS = 100

/** Reads possible answers: `[{ <function>: { <parameter>: [<value>, …] } }]`. @throws `rows_invalid` */
export function readExpectedCalls(value: unknown): readonly ExpectedCall[] {
  const calls = listOf(value, "possible answers")
  if (calls.length > MAX_CALLS)
    throw malformed("possible answers", `has ${calls.length} calls; the limit is ${MAX_CALLS}`)
  return calls.map((call) => {
    const [name, ...others] = Object.keys(dictOf(call))
    const answers = isDict(call) && name !== undefined && others.length === 0 ? call[name] : undefined
    if (name === undefined || !isDict(answers))
      throw malformed("possible answers", "has an entry that is not one function")
    const key = Object.keys(answers).find((one) => !Array.isArray(answers[one]))
    if (key !== undefined) throw malformed("possible answers", `has no list of values for '${name}.${key}'`)
    return { name, answers: answers as ExpectedCall["answers"] }
  })
}

/** A call of a model. Its arguments are undefined if they are not a JSON object. */
export interface MadeCall {
  readonly name: string
  readonly arguments: PythonDict | undefined
}

/** Reads the calls of a model; undefined if they are not calls. */
export function readMadeCalls(value: unknown): readonly MadeCall[] | undefined {
  const calls = typeof value === "string" ? parsed(value) : (value ?? [])
  if (!Array.isArray(calls)) return undefined
  return calls.map((call: unknown) => {
    const made = dictOf(dictOf(call)["function"] ?? call)
    const given = made["arguments"] ?? made["args"] ?? {}
    // Servers write an empty text for a function without parameters.
    const read = typeof given === "string" ? parsed(given.trim() === "" ? "{}" : given) : given
    return { name: String(made["name"]), arguments: isDict(read) ? read : undefined }
  })
}

function dictOf(value: unknown): PythonDict {
  return isDict(value) ? value : {}
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const read = typeof value === "string" ? parsed(value) : value
  if (Array.isArray(read)) return read
  throw malformed(name, "is not a list")
}

function malformed(name: string, fault: string): AssayError {
  return new AssayError("rows_invalid", `The value for the ${name} of tool calls ${fault}.`)
}

/** Returns undefined for a text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return parseJsonExactly(text)
  } catch {
    return undefined
  }
}
