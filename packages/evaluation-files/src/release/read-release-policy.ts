import { RELEASE_TIERS, type ReleaseTier } from "@assay/schemas"
import { isJsonObject } from "@assay/json"
import type { LocatedDocument } from "@assay/validation"
import { checkDocument, faultAt, namesHint, pointerTo } from "../document-faults.ts"
import { createFaults, type Faults } from "../faults.ts"
import { type GateText, parseGateText } from "../gate-text.ts"
import { MAX_EVALUATIONS, type PolicyGateObject, ReleasePolicy } from "./release-policy.ts"

/** A gate that compares a score with a limit. */
export interface PolicyLimit extends GateText {
  readonly kind: "limit"
  readonly maxUnscored?: number | undefined
  /** `file:line:column` */
  readonly location: string
}

/** A gate that compares a score row by row with older results. */
export interface PolicyComparison {
  readonly kind: "comparison"
  /** `task.metric.score`, or a shorter name of a score. Undefined: every score that decides. */
  readonly name: string | undefined
  /** Undefined: 0, or that of the guard if it applies. */
  readonly margin?: number | undefined
  readonly lowBaseline?: { readonly below: number; readonly relativeMargin: number } | undefined
  readonly maxUnscored?: number | undefined
  readonly location: string
}

export type PolicyGate = PolicyLimit | PolicyComparison

export interface PolicyEvaluation {
  readonly name: string
  readonly tier: ReleaseTier
  readonly results: string
  /** The evaluation file whose results they are. */
  readonly run?: string | undefined
  readonly against?: string | undefined
  readonly gates: readonly PolicyGate[]
}

/** A policy whose gates are read. */
export interface OpenedPolicy {
  readonly alpha: number
  readonly evaluations: readonly PolicyEvaluation[]
}

const ALPHA = 0.05

/** Reads a release policy. @throws `bad_document` with file, line and column of all faults, and the keys that were probably meant */
export function readReleasePolicy(document: LocatedDocument): OpenedPolicy {
  const { value } = document
  if (!isJsonObject(value)) throw faultAt(document, "", "a release policy is an object with 'evaluations'.")
  const faults = createFaults()
  checkDocument(document, { schema: ReleasePolicy, alsoKnown: [] }, faults)
  const written = isJsonObject(value["evaluations"]) ? value["evaluations"] : {}
  const count = Object.keys(written).length
  if (isJsonObject(value["evaluations"]) && (count === 0 || count > MAX_EVALUATIONS)) {
    const why = `has ${count} evaluations; name from 1 to ${MAX_EVALUATIONS}.`
    faults.add(faultAt(document, "/evaluations", why), "/evaluations")
  }
  const found = Object.entries(written)
    .slice(0, MAX_EVALUATIONS)
    .flatMap(([name, one]) => {
      const pointer = pointerTo("/evaluations", name)
      if (!isJsonObject(one)) return []
      return [readEvaluation({ name, ...(one as ReleasePolicy["evaluations"][string]) }, { document, pointer, faults })]
    })
  faults.throwAll()
  return { alpha: typeof value["alpha"] === "number" ? value["alpha"] : ALPHA, evaluations: found }
}

interface Context {
  readonly document: LocatedDocument
  readonly pointer: string
  readonly faults: Faults
}

type GivenEvaluation = ReleasePolicy["evaluations"][string] & { readonly name: string }

function readEvaluation(given: GivenEvaluation, { document, pointer, faults }: Context): PolicyEvaluation {
  const { name, tier, results, run, against } = given
  // A part that has faults already is not read.
  const gates = Array.isArray(given.gates) ? given.gates : []
  const hasFaults = faults.has(pointer)
  const known = RELEASE_TIERS.find((one) => one === tier)
  if (known === undefined && typeof tier === "string") {
    const at = pointerTo(pointer, "tier")
    faults.add(faultAt(document, at, `'${tier}' is not a tier; ${namesHint(tier, RELEASE_TIERS, "the tiers are")}`), at)
  }
  if (gates.length === 0 && against === undefined && !hasFaults) {
    const why = "has neither 'gates' nor 'against', so that nothing decides it; write `gates: [equals >= 0.8]`."
    faults.add(faultAt(document, pointer, why), pointer)
  }
  const read = gates.flatMap((gate, at) => {
    const own = pointerTo(pointerTo(pointer, "gates"), at)
    if (faults.has(own)) return []
    return faults.attempt(own, () => readGate(gate, against !== undefined, { document, pointer: own, faults })) ?? []
  })
  const all: readonly PolicyGate[] =
    gates.length > 0 ? read : [{ kind: "comparison", name: undefined, location: document.locationOf(pointer) }]
  return { name, tier: known ?? "critical", results, run, against, gates: all }
}

/** @throws `bad_document` */
function readGate(gate: string | PolicyGateObject, hasBaseline: boolean, { document, pointer }: Context): PolicyGate {
  const location = document.locationOf(pointer)
  if (typeof gate === "string") {
    const parsed = parseGateText(gate, "equals >= 0.8")
    if (typeof parsed === "string") throw faultAt(document, pointer, parsed)
    return { kind: "limit", location, ...parsed }
  }
  const { task, metric, score, op, value, corrected, on_these_rows, max_unscored: maxUnscored } = gate
  const { margin, low_baseline: guard } = gate
  const name = [task, metric, score].filter((part) => part !== undefined).join(".")
  if (op !== undefined || value !== undefined) {
    const other = (["margin", "low_baseline"] as const).find((key) => gate[key] !== undefined)
    if (op === undefined || value === undefined) throw faultAt(document, pointer, 'give both "op" and "value".')
    if (other !== undefined) {
      const why = `is only possible without "op" and "value", in a gate that compares with 'against'.`
      throw faultAt(document, pointerTo(pointer, other), why)
    }
    if (corrected === true && on_these_rows === true) {
      throw faultAt(document, pointer, '"corrected" is an estimate with an interval: leave out "on_these_rows".')
    }
    const ofScore = { name, op, value, isCorrected: corrected === true, isOnTheseRows: on_these_rows === true }
    return { kind: "limit", location, ...ofScore, maxUnscored }
  }
  if (corrected === true || on_these_rows === true) {
    throw faultAt(document, pointer, '"corrected" and "on_these_rows" need a limit: give "op" and "value".')
  }
  if (!hasBaseline) {
    const why =
      'compares with older results, and the evaluation has no \'against\'; name a folder there, or give "op" and "value".'
    throw faultAt(document, pointer, why)
  }
  const lowBaseline = guard && { below: guard.below, relativeMargin: guard.relative_margin }
  return { kind: "comparison", name, margin, lowBaseline, maxUnscored, location }
}
