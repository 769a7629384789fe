import { AssayError } from "@assay/schemas"
import { isDict, isPythonEqual, type PythonDict } from "./python-values.ts"
import { parsePythonCall } from "./python-call.ts"
import { type MadeCall, readMadeCalls } from "./tool-call-answers.ts"

/** The expected calls of a conversation. */
export interface ExpectedTurns {
  /** The functions that the model was given, with the order and the defaults of their parameters. Undefined: calls have to name all arguments. */
  readonly functions?: unknown
  /** For each turn of the user, the expected calls: Python source as in BFCL, or `{ name, arguments }`. */
  readonly turns: unknown
  /** Whether a turn without expected calls must have none. Default false, as in BFCL v4. */
  readonly strictEmpty?: boolean
}

/** Whether a conversation made the expected calls. */
export interface CallTurns {
  /** Whether all turns are right. */
  readonly isRight: boolean
  /** The share of turns before the first wrong one. */
  readonly share: number
}

const MAX_TURNS = 100
const MAX_CALLS = 1000

/**
 * Checks the calls of a finished conversation turn by turn. A turn is right if its expected calls are among the calls of this and earlier
 * turns, in any order, each as often as expected. A turn with expected calls needs at least one call of its own, and both must have the same number
 * of turns. These are the rules of BFCL v4's multi-turn check, which compares the results of the calls and the state that they leave; here, calls
 * are compared by name and arguments, because nothing is executed.
 * @throws `rows_invalid` for expected turns or functions that are malformed
 */
export function checkCallTurns(made: readonly (readonly unknown[])[], expected: ExpectedTurns): CallTurns {
  const signatures = readSignatures(expected.functions)
  const turns = readTurns(expected.turns, signatures)
  if (made.length !== turns.length) return { isRight: false, share: 0 }
  const earlier: PlainCall[] = []
  for (const [index, wanted] of turns.entries()) {
    const own = (readMadeCalls(made[index]) ?? []).map((call) => plainCall(call, signatures))
    earlier.push(...own.slice(0, MAX_CALLS - earlier.length))
    const isRight =
      wanted.length === 0 ? expected.strictEmpty !== true || own.length === 0 : own.length > 0 && areIn(wanted, earlier)
    if (!isRight) return { isRight: false, share: index / turns.length }
  }
  return { isRight: true, share: 1 }
}

/** A call whose arguments are complete: without those that have their default. Undefined: they are not a JSON object. */
interface PlainCall {
  readonly name: string
  readonly arguments: PythonDict | undefined
}

interface Signature {
  readonly order: readonly string[]
  readonly defaults: PythonDict
}

function areIn(wanted: readonly PlainCall[], made: readonly PlainCall[]): boolean {
  const left = new Set(made)
  return wanted.every((call) => {
    for (const one of left) {
      if (one.name !== call.name || one.arguments === undefined || !isPythonEqual(one.arguments, call.arguments))
        continue
      return left.delete(one)
    }
    return false
  })
}

function plainCall({ name, arguments: given }: MadeCall, signatures: ReadonlyMap<string, Signature>): PlainCall {
  const defaults = signatures.get(name)?.defaults ?? {}
  const isDefault = (key: string, value: unknown) => Object.hasOwn(defaults, key) && isPythonEqual(value, defaults[key])
  const plain = given && Object.fromEntries(Object.entries(given).filter(([key, value]) => !isDefault(key, value)))
  return { name, arguments: plain }
}

function readTurns(value: unknown, signatures: ReadonlyMap<string, Signature>): readonly (readonly PlainCall[])[] {
  const isRight = Array.isArray(value) && value.length > 0 && value.length <= MAX_TURNS && value.every(Array.isArray)
  if (!isRight) throw malformed(`the expected turns are not a list of 1 to ${MAX_TURNS} lists of calls`)
  const turns = value as readonly (readonly unknown[])[]
  if (turns.some(({ length }) => length > MAX_TURNS)) throw malformed(`a turn has more than ${MAX_TURNS} calls`)
  return turns.map((calls) => calls.map((call) => plainCall(expectedCall(call, signatures), signatures)))
}

function expectedCall(call: unknown, signatures: ReadonlyMap<string, Signature>): MadeCall {
  if (typeof call !== "string") {
    const [read] = readMadeCalls([call]) ?? []
    if (read?.arguments !== undefined && read.name !== "undefined") return read
    throw malformed("an expected call is neither Python source nor {name, arguments}")
  }
  const { name, positional, named } = parsePythonCall(call)
  const order = signatures.get(name)?.order ?? []
  if (positional.length > order.length) {
    throw malformed(
      `the call '${call.slice(0, 80)}' has arguments without names; give 'functions' with the parameters of '${name}'`,
    )
  }
  const byOrder = positional.map((value, index) => [order[index] ?? "", value] as const)
  return { name, arguments: { ...Object.fromEntries(byOrder), ...named } }
}

function readSignatures(value: unknown): ReadonlyMap<string, Signature> {
  if (value === undefined || value === null) return new Map()
  if (!Array.isArray(value)) throw malformed("the functions are not a list")
  return new Map(
    value.map((entry: unknown) => {
      const own = isDict(entry) && isDict(entry["function"]) ? entry["function"] : entry
      if (!isDict(own) || typeof own["name"] !== "string") throw malformed("a function has no name")
      const parameters = isDict(own["parameters"]) ? own["parameters"] : {}
      const properties = isDict(parameters["properties"]) ? parameters["properties"] : {}
      const defaults = Object.entries(properties).flatMap(([key, property]) =>
        isDict(property) && Object.hasOwn(property, "default") ? [[key, property["default"]] as const] : [],
      )
      return [own["name"], { order: Object.keys(properties), defaults: Object.fromEntries(defaults) }] as const
    }),
  )
}

function malformed(fault: string): AssayError {
  return new AssayError("rows_invalid", `The row can't be compared call by call: ${fault}.`)
}
