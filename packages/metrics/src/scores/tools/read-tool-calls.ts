import { parseJsonExactly } from "@assay/schemas"
import { canonicalJson } from "../json/canonical-json.ts"

/** A call of a tool; `arguments` is their canonical JSON, undefined where they are not JSON. */
export interface ReadToolCall {
  readonly name: string
  readonly arguments: string | undefined
}

/**
 * The calls in what a model answered or a reference renders to: `[{ function: { name, arguments } }]`, `[{ name, arguments }]` or
 * `[{ name, args }]`, also as JSON text. What has no name is no call. Absent arguments are `{}`; text is read as JSON.
 * Undefined where it is no list, nor absent.
 */
export function readToolCalls(value: unknown): readonly ReadToolCall[] | undefined {
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
