import { parseJsonExactly } from "@assay/schemas"
import { canonicalJson } from "../json/is-json-equal.ts"

export interface ToolCallOptions {
  /** Whether a call that is made twice must be expected twice. Default `count`. */
  readonly duplicates?: "count" | "ignore"
}

/** 1 where all calls are right, 0 where not; NaN where it can't be told. */
export interface ToolCallScores {
  /** The same names, in any order. */
  readonly function_name_accuracy: number
  /** The same names with the same arguments, in any order; NaN where the arguments of a call are not JSON. */
  readonly function_name_and_args_accuracy: number
}

/**
 * Compares the calls of a model with those of a reference, in whatever order: names as multisets, then arguments as JSON.
 * None expected and none made is 1. Both scores are NaN where one side is no list of calls.
 */
export function scoreToolCalls(actual: unknown, expected: unknown, options: ToolCallOptions = {}): ToolCallScores {
  const [made, wanted] = [readToolCalls(actual), readToolCalls(expected)]
  if (made === undefined || wanted === undefined) {
    return { function_name_accuracy: Number.NaN, function_name_and_args_accuracy: Number.NaN }
  }
  const isSame = (key: (call: ReadToolCall) => string): number =>
    sorted(made.map(key), options) === sorted(wanted.map(key), options) ? 1 : 0
  const isReadable = [...made, ...wanted].every((call) => call.arguments !== undefined)
  return {
    function_name_accuracy: isSame(({ name }) => name),
    function_name_and_args_accuracy: isReadable
      ? isSame((call) => JSON.stringify([call.name, call.arguments]))
      : Number.NaN,
  }
}

function sorted(keys: readonly string[], { duplicates = "count" }: ToolCallOptions): string {
  return JSON.stringify((duplicates === "ignore" ? [...new Set(keys)] : keys).toSorted())
}

/** A call of a tool; `arguments` is their canonical JSON, undefined where they are not JSON. */
interface ReadToolCall {
  readonly name: string
  readonly arguments: string | undefined
}

/**
 * The calls in what a model answered or a reference renders to: `[{ function: { name, arguments } }]`, `[{ name, arguments }]` or
 * `[{ name, args }]`, also as JSON text. What has no name is no call. Absent arguments are `{}`; text is read as JSON.
 * Undefined where it is no list, nor absent.
 */
function readToolCalls(value: unknown): readonly ReadToolCall[] | undefined {
  const list = typeof value === "string" ? parseJson(value) : (value ?? [])
  if (list === null) return []
  return Array.isArray(list) ? list.flatMap(readToolCall) : undefined
}

function readToolCall(value: unknown): readonly ReadToolCall[] {
  const call = asRecord(asRecord(value)["function"] ?? value)
  const name = call["name"]
  if (typeof name !== "string" || name === "") return []
  return [{ name, arguments: readArguments(call["arguments"] ?? call["args"] ?? {}) }]
}

function readArguments(value: unknown): string | undefined {
  const read = typeof value === "string" ? parseJson(value) : value
  try {
    return read === undefined ? undefined : canonicalJson(read ?? {})
  } catch {
    return undefined
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
}

/** Undefined where the text is no JSON. */
function parseJson(text: string): unknown {
  try {
    return parseJsonExactly(text)
  } catch {
    return undefined
  }
}
