import { createStandardize, isOptional, isPossibleAnswer, type Standardize } from "./argument-answers.ts"
import {
  readExpectedCalls,
  readFunctions,
  readMadeCalls,
  type ExpectedCall,
  type MadeCall,
  type ToolFunction,
} from "./tool-call-answers.ts"

/** The expected calls of a model. */
export interface PossibleToolCalls {
  /** The functions that the model was given, as a list or its JSON. */
  readonly functions: unknown
  /** For each expected call, the possible values of each parameter, as a list or its JSON: `[{ add: { a: [1], b: [2, ""] } }]`. */
  readonly answers: unknown
  /** Whether the model was given names with `_` instead of `.`, which some endpoints require. Default false. */
  readonly underscoreToDot?: boolean
}

/**
 * Checks the calls of a model as the AST check of the Berkeley Function-Calling Leaderboard (BFCL v4, Python) does: types, possible values,
 * required and unexpected parameters. The calls are matched in any order: each expected call takes the first call that fits. Calls that
 * cannot be read are wrong.
 * @throws `rows_invalid` for functions or answers that are malformed, and for more than 100 expected calls
 */
export function checkToolCalls(actual: unknown, { functions, answers, underscoreToDot }: PossibleToolCalls): boolean {
  const known = readFunctions(functions)
  const expected = readExpectedCalls(answers)
  const made = readMadeCalls(actual)
  if (made?.length !== expected.length) return false
  const nameOf = (name: string) => (underscoreToDot === true ? name.replaceAll(".", "_") : name)
  const standardize = createStandardize()
  const left = new Set(made)
  return expected.every((call) => {
    const name = nameOf(call.name)
    const described = known.get(call.name) ?? known.get(name)
    if (described === undefined) return false
    for (const one of left) {
      if (one.name !== name || !isExpectedCall(one, call, { described, standardize })) continue
      left.delete(one)
      return true
    }
    return false
  })
}

function isExpectedCall(
  { arguments: given }: MadeCall,
  { answers }: ExpectedCall,
  { described, standardize }: { readonly described: ToolFunction; readonly standardize: Standardize },
): boolean {
  if (given === undefined || !described.required.every((name) => Object.hasOwn(given, name))) return false
  const isPossible = ([name, value]: readonly [string, unknown]) => {
    const type = described.parameters.get(name)
    const possible = Object.hasOwn(answers, name) ? answers[name] : undefined
    return type !== undefined && possible !== undefined && isPossibleAnswer(value, possible, { type, standardize })
  }
  if (!Object.entries(given).every(isPossible)) return false
  return Object.entries(answers).every(([name, possible]) => Object.hasOwn(given, name) || isOptional(possible))
}
