import { isDeepStrictEqual } from "node:util"
import { isJsonObject, nearestNumbers } from "@assay/json"

/** A call that was made. */
export interface MadeCall {
  readonly name: string
  readonly arguments: unknown
  /** The tool was not called, so the call is none that is expected. It still counts as one that was tried. */
  readonly refused?: boolean | undefined
}

/** A call that is expected: of a tool, and with these arguments if they are given. Others may be beside them. */
export interface ExpectedCall {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/** The calls that those of a conversation are compared with. */
export type CallAssertion =
  | { readonly kind: CallListKind; readonly calls: readonly ExpectedCall[] }
  /** `tool` is never called; with `before`, never before a call of `before`, which is also broken if that one is not called. */
  | { readonly kind: "never"; readonly tool: string; readonly before: string | undefined }

export const CALL_LIST_KINDS = ["exact", "in_order", "any_order", "only", "precision", "recall"] as const
export type CallListKind = (typeof CALL_LIST_KINDS)[number]

/**
 * Scores calls, from 0 to 1.
 *
 * - `exact`: these calls in this order, and no other.
 * - `in_order`: these calls in this order; others may be between them.
 * - `any_order`: each of these calls; others may be beside them.
 * - `only`: no other calls; each expected one counts for one call.
 * - `precision`: the share of the calls that are expected; `recall`: the share of the expected calls that were made. Without calls on both
 *   sides they are 1.
 * - `never`: see `CallAssertion`.
 */
export function scoreCalls(made: readonly MadeCall[], assertion: CallAssertion): number {
  if (assertion.kind === "never") return isNever(made, assertion) ? 1 : 0
  const { kind, calls } = assertion
  return COMPARISONS[kind](made, calls)
}

const COMPARISONS: Readonly<
  Record<CallListKind, (made: readonly MadeCall[], calls: readonly ExpectedCall[]) => number>
> = {
  exact: (made, calls) => share(made.length === calls.length && calls.every((call, at) => fits(made[at], call))),
  in_order: (made, calls) => share(isInOrder(made, calls)),
  any_order: (made, calls) => share(countMatches(made, calls) === calls.length),
  only: (made, calls) => share(countMatches(made, calls) === made.length),
  precision: (made, calls) => ratio(countMatches(made, calls), made.length, calls.length),
  recall: (made, calls) => ratio(countMatches(made, calls), calls.length, made.length),
}

function share(holds: boolean): number {
  return holds ? 1 : 0
}

function ratio(matches: number, of: number, other: number): number {
  if (of === 0) return share(other === 0)
  return matches / of
}

function isNever(made: readonly MadeCall[], { tool, before }: Extract<CallAssertion, { kind: "never" }>): boolean {
  const first = made.findIndex(({ name }) => name === tool)
  if (first === -1 || before === undefined) return first === -1
  const other = made.findIndex(({ name, refused }) => name === before && refused !== true)
  return other !== -1 && other < first
}

/** The earliest call that fits leaves most calls for the rest, so no other choice has to be tried. */
function isInOrder(made: readonly MadeCall[], calls: readonly ExpectedCall[]): boolean {
  let next = 0
  for (const call of made) {
    const expected = calls[next]
    if (expected === undefined) return true
    if (fits(call, expected)) next += 1
  }
  return next === calls.length
}

/**
 * Returns the largest number of pairs of a made and an expected call that fit, each call in one pair at most. Augmenting paths find it, because a
 * call can fit several expected ones.
 */
function countMatches(made: readonly MadeCall[], calls: readonly ExpectedCall[]): number {
  const candidates = calls.map((call) => [...made.keys()].filter((at) => fits(made[at], call)))
  const takenBy = new Map<number, number>()
  const take = (expected: number, seen: Set<number>): boolean => {
    for (const at of candidates[expected] ?? []) {
      if (seen.has(at)) continue
      seen.add(at)
      const owner = takenBy.get(at)
      if (owner === undefined || take(owner, seen)) {
        takenBy.set(at, expected)
        return true
      }
    }
    return false
  }
  return [...calls.keys()].filter((expected) => take(expected, new Set())).length
}

function fits(made: MadeCall | undefined, { name, arguments: expected }: ExpectedCall): boolean {
  if (made?.name !== name || made.refused === true) return false
  return expected === undefined || hasArguments(made.arguments, expected)
}

/** Returns whether arguments have all of the expected ones. Others may be beside them. */
export function hasArguments(given: unknown, expected: Readonly<Record<string, unknown>>): boolean {
  const args = isJsonObject(given) ? given : {}
  return Object.entries(expected).every(([key, value]) => Object.hasOwn(args, key) && isSameJson(args[key], value))
}

/** Returns whether two JSON values are equal, with numbers as JavaScript compares them. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(nearestNumbers(one), nearestNumbers(other))
}
