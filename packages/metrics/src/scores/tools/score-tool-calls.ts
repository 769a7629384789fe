import { fieldsOf, parseUniqueJson } from "@assay/json"
import { canonicalJson } from "../json/is-json-equal.ts"

export interface ToolCallOptions {
  /** Whether a call that is made twice has to be expected twice. Default `count`. */
  readonly duplicates?: "count" | "ignore"
}

/** 1 if all calls are right, else 0. NaN if the calls can't be read. */
export interface ToolCallScores {
  /** Whether the names are the same, in any order. */
  readonly function_name_accuracy: number
  /** Whether names and arguments are the same, in any order. Arguments of the model that are not JSON are wrong. NaN if those of the reference are not. */
  readonly function_name_and_args_accuracy: number
}

/**
 * Compares the tool calls of a model with those of a reference, in any order: names as multisets, and arguments as JSON.
 * If no call is expected and none is made, the score is 1. Both scores are NaN if one side is not a list of calls.
 */
export function scoreToolCalls(actual: unknown, expected: unknown, options: ToolCallOptions = {}): ToolCallScores {
  const made = readToolCalls(actual)
  const wanted = readToolCalls(expected)
  if (made === undefined || wanted === undefined) {
    return { function_name_accuracy: Number.NaN, function_name_and_args_accuracy: Number.NaN }
  }
  const isSame = (key: (call: ReadToolCall) => string): number =>
    sorted(made.map(key), options) === sorted(wanted.map(key), options) ? 1 : 0
  const isReadable = wanted.every((call) => call.arguments !== undefined)
  const isMadeWell = made.every((call) => call.arguments !== undefined)
  return {
    function_name_accuracy: isSame(({ name }) => name),
    function_name_and_args_accuracy: !isReadable
      ? Number.NaN
      : isMadeWell
        ? isSame((call) => JSON.stringify([call.name, call.arguments]))
        : 0,
  }
}

function sorted(keys: readonly string[], { duplicates = "count" }: ToolCallOptions): string {
  return JSON.stringify((duplicates === "ignore" ? [...new Set(keys)] : keys).toSorted())
}

/** A tool call. `arguments` is canonical JSON, or undefined if the arguments are not JSON. */
interface ReadToolCall {
  readonly name: string
  readonly arguments: string | undefined
}

/**
 * Reads the calls in an answer or a reference: `[{ function: { name, arguments } }]`, `[{ name, arguments }]` or
 * `[{ name, args }]`, also as JSON text. Entries without a name are ignored. Missing arguments and empty texts, which servers write for
 * functions without parameters, count as `{}`; other text is parsed as JSON, in which no object has a key twice. An absent value is an empty list; any other value that is not a list gives undefined.
 */
function readToolCalls(value: unknown): readonly ReadToolCall[] | undefined {
  const list = typeof value === "string" ? parseJson(value) : (value ?? [])
  if (list === null) return []
  return Array.isArray(list) ? list.flatMap(readToolCall) : undefined
}

function readToolCall(value: unknown): readonly ReadToolCall[] {
  const call = fieldsOf(fieldsOf(value)["function"] ?? value)
  const name = call["name"]
  if (typeof name !== "string" || name === "") return []
  return [{ name, arguments: readArguments(call["arguments"] ?? call["args"] ?? {}) }]
}

function readArguments(value: unknown): string | undefined {
  const read = typeof value === "string" ? parseJson(value.trim() === "" ? "{}" : value) : value
  try {
    return read === undefined ? undefined : canonicalJson(read ?? {})
  } catch {
    return undefined
  }
}

/** Returns undefined for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return parseUniqueJson(text)
  } catch {
    return undefined
  }
}
