import { fieldsOf, findJsonExcess, isJsonObject, parseJsonExactly } from "@assay/json"
import type { ConversationCall } from "@assay/schemas"
import { MAX_PATH, parseStatePath, withValueAt } from "./state-path.ts"
import type { ToolCall } from "./tool-calls.ts"

/** The outcome of a call. */
export interface AnsweredCall {
  readonly call: ConversationCall
  /** The text that the model gets. */
  readonly content: string
  /** The state after the call. */
  readonly state: unknown
  /** Milliseconds that the conversation still has to wait. */
  readonly delayMs: number
  /** Milliseconds that the answer has taken. Default 0. */
  readonly tookMs?: number
  /** Why no tool was called, or that the tool itself failed. Undefined: it answered. */
  readonly fault?: CallFault
}

/** `malformed` and `unknown` are faults of the model; `failed` is one of the tool. */
export type CallFault = "malformed" | "unknown" | "failed"

/** A call whose arguments have been read. */
export interface ReadCall extends ToolCall {
  readonly args: Readonly<Record<string, unknown>>
}

/** The answer of a tool: a result or an error, and the values that it writes into the state. */
export type ToolReply =
  | { readonly result: unknown; readonly set?: readonly StateChange[] }
  | { readonly error: string; readonly set?: readonly StateChange[] }
  /** The tool itself failed. */
  | { readonly fault: string }

type StateChange = readonly [path: readonly string[], value: unknown]

/** Bytes of an answer of a tool that reach the model. */
const MAX_ANSWER = 1024 * 1024
/** Characters of a state that a program or a model has changed. */
const MAX_STATE = 1024 * 1024
/** Characters of malformed arguments that are kept. */
const MAX_SHOWN = 1000

interface Times {
  readonly delayMs?: number
  readonly tookMs?: number
}

/** Returns the outcome of a call of a tool. */
export function answeredCall(
  { name, args }: ReadCall,
  reply: ToolReply,
  before: unknown,
  { delayMs = 0, tookMs = 0 }: Times = {},
): AnsweredCall {
  const times = { delayMs, tookMs }
  const failed = (fault: string): AnsweredCall => {
    const error = `The tool failed: ${fault}.`
    return {
      call: { name, arguments: args, error },
      content: errorText(error),
      state: before,
      ...times,
      fault: "failed",
    }
  }
  if ("fault" in reply) return failed(reply.fault)
  const state = (reply.set ?? []).reduce((at, [path, value]) => withValueAt(at, path, value), before)
  if (state !== before && JSON.stringify(state).length > MAX_STATE) {
    return failed(`the state would have more than ${MAX_STATE / 1024 / 1024} MiB`)
  }
  if ("error" in reply) {
    const { error } = reply
    return { call: { name, arguments: args, error: cutText(error).text }, content: errorText(error), state, ...times }
  }
  const value = reply.result ?? null
  const { text, isCut } = cutText(typeof value === "string" ? value : JSON.stringify(value))
  return { call: { name, arguments: args, result: isCut ? text : value }, content: text, state, ...times }
}

/** Returns the outcome of a call that is a fault of the model. */
export function refusedCall(
  call: ToolCall,
  state: unknown,
  error: string,
  fault: Exclude<CallFault, "failed">,
): AnsweredCall {
  const shown = call.args ?? call.text.slice(0, MAX_SHOWN)
  return {
    call: { name: call.name, arguments: shown, error, refused: true },
    content: errorText(error),
    state,
    delayMs: 0,
    fault,
  }
}

const DEPTH = { depth: 64, parts: 100_000, values: 100_000, keys: 10_000 }
const FORM = 'a JSON object with "result" or "error"'

/** Reads what a program or a model wrote as the answer of a tool: `{result}` or `{error}`, and maybe `set`. Anything else is a fault. */
export function readReply(text: string): ToolReply {
  const written = text.trim()
  if (written === "") return { fault: `it wrote nothing, and not ${FORM}` }
  if (findJsonExcess(written, DEPTH) !== undefined) return { fault: "its JSON is too deep or too large" }
  const value = parsed(written)
  if (!isJsonObject(value))
    return { fault: `it wrote no JSON, but '${written.slice(0, 100)}'; it has to write ${FORM}` }
  const { result, error, set = {}, ...others } = value
  const stray = Object.keys(others)[0]
  if (stray !== undefined || (result === undefined) === (error === undefined)) {
    const what = stray === undefined ? (result === undefined ? "neither" : "both") : `'${stray.slice(0, 100)}'`
    return { fault: `it wrote an object with ${what}; it has to write ${FORM}` }
  }
  const changes = Object.entries(fieldsOf(set)).map(([path, one]) => [parseStatePath(path), one] as const)
  const wrong = Object.keys(fieldsOf(set)).find((path) => parseStatePath(path) === undefined)
  if (!isJsonObject(set) || wrong !== undefined) {
    return { fault: `its 'set' is not an object of paths of up to ${MAX_PATH} keys, such as orders.A1` }
  }
  const own = { set: changes.flatMap(([path, one]) => (path === undefined ? [] : [[path, one] as const])) }
  if (error === undefined) return { result, ...own }
  return { error: typeof error === "string" ? error : JSON.stringify(error), ...own }
}

function parsed(text: string): unknown {
  try {
    return parseJsonExactly(text)
  } catch {
    return undefined
  }
}

function errorText(error: string): string {
  return cutText(JSON.stringify({ error })).text
}

/** Cuts a text at the end of a character. */
function cutText(text: string): { readonly text: string; readonly isCut: boolean } {
  if (Buffer.byteLength(text) <= MAX_ANSWER) return { text, isCut: false }
  const bytes = Buffer.from(text)
  let end = MAX_ANSWER
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return { text: bytes.toString("utf8", 0, end), isCut: true }
}
