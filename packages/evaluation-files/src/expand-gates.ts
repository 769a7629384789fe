import type { LocatedDocument } from "@assay/validation"
import { scaleFault, scoreScale } from "@assay/schemas"
import { faultAt, namesHint, pointerTo } from "./document-faults.ts"
import type { ExpandedCheck } from "./expand-check.ts"
import type { Faults } from "./faults.ts"
import { parseGateText } from "./gate-text.ts"
import type { ShortEvaluation } from "./short/short-evaluation.ts"

/** The name of the only task of a file in the short form. The same in every file, so that their jobs can be compared. */
export const TASK = "answers"

type ShortGate = NonNullable<ShortEvaluation["gates"]>[number]
type Checks = ReadonlyMap<string, ExpandedCheck>

/**
 * Expands gates: `equals >= 0.8` names the check of the only task. Adds the faults of those that can't be read, that name no check or one of several with
 * the same name, or whose limit is outside of the scale of their score.
 */
export function expandGates(
  document: LocatedDocument,
  { gates, checks: given = [], turns, user }: Partial<ShortEvaluation>,
  checks: Checks,
  faults: Faults,
): readonly (string | object)[] {
  if (!Array.isArray(gates)) return []
  // The names of checks with faults are not known.
  const areKnown = Array.isArray(given) && (turns !== undefined || user !== undefined || given.length === checks.size)
  return (gates as readonly ShortGate[]).map((gate, at) => {
    const pointer = pointerTo("/gates", at)
    if (faults.has(pointer)) return gate
    const context: GateContext = { document, pointer, checks, areKnown }
    return faults.attempt(pointer, () => expandGate(gate, context)) ?? gate
  })
}

interface GateContext {
  readonly document: LocatedDocument
  readonly pointer: string
  readonly checks: Checks
  /** Whether every check of the file is in `checks`. */
  readonly areKnown: boolean
}

/** @throws `bad_document` */
function expandGate(gate: ShortGate, context: GateContext): string | object {
  const { document, pointer } = context
  if (typeof gate !== "string") {
    const { task = TASK, metric, score, op, value } = gate
    if (task === TASK)
      checkName(score === undefined ? metric : `${metric}.${score}`, context, pointerTo(pointer, "metric"))
    if (op !== undefined && value !== undefined) checkLimit({ name: metric, score, op, value }, context)
    return { ...gate, task }
  }
  const parsed = parseGateText(gate, exampleOf(context))
  if (typeof parsed === "string") throw faultAt(document, pointer, parsed)
  const name = parsed.name.startsWith(`${TASK}.`) ? parsed.name.slice(TASK.length + 1) : parsed.name
  const check = checkName(name, context, pointer)
  if (check !== undefined) {
    const score = name === check ? undefined : name.slice(check.length + 1)
    checkLimit({ ...parsed, name: check, score }, context)
  }
  return parsed.name === name ? `${TASK}.${gate.trim()}` : gate
}

function exampleOf({ checks }: GateContext): string {
  const [first = "equals"] = checks.keys()
  return `${first} >= 0.8`
}

/** Returns the check that a gate names. Undefined: not all checks are known. @throws `bad_document` */
function checkName(name: string, context: GateContext, pointer: string): string | undefined {
  const { document, checks, areKnown } = context
  const names = [...checks.keys()]
  const found = names
    .filter((check) => name === check || name.startsWith(`${check}.`))
    .toSorted((a, b) => b.length - a.length)[0]
  if (!areKnown) return found
  if (found === undefined) {
    const hint = names.length === 0 ? "it has no checks." : namesHint(name, names, "its checks are")
    throw faultAt(
      document,
      pointer,
      `'${name}' is not a check of this file; ${hint} Write a gate as \`${exampleOf(context)}\`.`,
    )
  }
  const same = [...checks.values()].filter((check) => check.name === found)
  if (same.length < 2) return found
  const places = same.map((check) => document.locationOf(check.pointer)).join(" and ")
  const why = `'${found}' is the name of ${same.length} checks, at ${places}; give each a \`name:\` of its own and use it here.`
  throw faultAt(document, pointer, why)
}

interface NamedLimit {
  /** The check. */
  readonly name: string
  readonly score: string | undefined
  readonly op: string
  readonly value: number
}

/** @throws `bad_document` for a limit that no value, or every value, keeps */
function checkLimit({ name, score, op, value }: NamedLimit, { document, pointer, checks }: GateContext): void {
  const check = checks.get(name)
  if (check === undefined) return
  const fault = scaleFault(
    { name: score === undefined ? name : `${name}.${score}`, op, value },
    scoreScale(check.metric, score),
  )
  if (fault !== undefined) throw faultAt(document, pointer, fault)
}
