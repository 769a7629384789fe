import type { GuardrailEnsemble, RailPlace } from "@assay/schemas"
import type { RailDirection } from "../verdict-reading.ts"

export const CHECK_KINDS = [
  "content safety check",
  "topic safety check",
  "tool safety check",
  "llama guard check",
  "self check",
] as const
export type CheckKind = (typeof CHECK_KINDS)[number]

/** A flow whose rail asks one judge. */
export interface JudgeFlow {
  readonly type: "judge"
  /** The name in the spelling of the configuration. */
  readonly name: string
  readonly kind: CheckKind
  readonly direction: RailDirection
  /** The model type after `$model=`. Null: the flow names none. */
  readonly model: string | null
}

/** A flow whose rail asks other flows. */
export interface EnsembleFlow {
  readonly type: "ensemble"
  readonly name: string
  readonly ensemble: string
}

/** A flow whose rail asks nobody: a rule decides. */
export interface RuleFlow {
  readonly type: "rule"
  readonly name: string
  readonly rule: "calls" | "results" | "patterns"
  readonly place: RailPlace
  /** Whether it belongs below `per_tool`. */
  readonly isPerTool: boolean
  /** The only argument that patterns search, after `$argument=`. Null: all. */
  readonly argument: string | null
}

export type Flow = JudgeFlow | EnsembleFlow | RuleFlow

const JUDGE_FLOW = new RegExp(`^(${CHECK_KINDS.join("|")}) (input|output)(?: \\$model=([^ ]+))?$`)
type Rule = Omit<RuleFlow, "type" | "name" | "argument">

const PER_TOOL = { rule: "patterns", isPerTool: true } as const
/** The rules by their names in NeMo Guardrails. Patterns of tools have an older name and a newer one. */
const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["tool call validation", { rule: "calls", place: "tool_output", isPerTool: false }],
  ["tool result validation", { rule: "results", place: "tool_input", isPerTool: false }],
  ["regex check input", { rule: "patterns", place: "input", isPerTool: false }],
  ["regex check output", { rule: "patterns", place: "output", isPerTool: false }],
  ["regex check tool call", { ...PER_TOOL, place: "tool_output" }],
  ["regex check tool output", { ...PER_TOOL, place: "tool_output" }],
  ["regex check tool result", { ...PER_TOOL, place: "tool_input" }],
  ["regex check tool input", { ...PER_TOOL, place: "tool_input" }],
])

/** Returns the names of the rules for a place, those of one tool or those of all. */
export function ruleNames(place: RailPlace, { isPerTool }: Pick<RuleFlow, "isPerTool">): readonly string[] {
  return [...RULES].flatMap(([name, rule]) => (rule.place === place && rule.isPerTool === isPerTool ? [name] : []))
}

const ARGUMENT = /^(.+) \$argument=([^ ]+)$/
const ENSEMBLE_FLOW = /^ensemble (.+)$/

/** Parses the name of a flow. Returns null if there is no such flow. */
export function parseFlow(name: string): Flow | null {
  const words = withoutQuotes(name.trim().replaceAll(/ +/g, " "))
  const judge = JUDGE_FLOW.exec(words)
  if (judge !== null) {
    const [, kind, direction, model] = judge
    return { type: "judge", name, kind: kind as CheckKind, direction: direction as RailDirection, model: model ?? null }
  }
  const [, base = words, argument = null] = ARGUMENT.exec(words) ?? []
  const rule = RULES.get(base)
  if (rule !== undefined && (argument === null || (rule.isPerTool && rule.place === "tool_output"))) {
    return { type: "rule", name, ...rule, argument }
  }
  const ensemble = ENSEMBLE_FLOW.exec(words)?.[1]
  return ensemble === undefined ? null : { type: "ensemble", name, ensemble }
}

/** Removes the quotes of `$model="guard"`. */
export function withoutQuotes(words: string): string {
  return words.replace(/\$model=(["'])([^"' ]+)\1$/, "$model=$2")
}

/** The flows that an ensemble asks, directly and through other ensembles. */
export interface EnsembleReach {
  readonly judges: readonly JudgeFlow[]
  /** Names of the ensembles that it contains. Its own name is among them if it contains itself. */
  readonly ensembles: ReadonlySet<string>
}

/** Finds everything that the ensemble `name` asks. It also ends if ensembles contain each other. */
export function reachEnsemble(ensembles: readonly GuardrailEnsemble[], name: string): EnsembleReach {
  const judges: JudgeFlow[] = []
  const reached = new Set<string>()
  const queue = [name]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const flow of (ensembles.find((each) => each.name === next)?.flows ?? []).map(parseFlow)) {
      if (flow?.type === "judge") judges.push(flow)
      if (flow?.type !== "ensemble" || reached.has(flow.ensemble)) continue
      reached.add(flow.ensemble)
      queue.push(flow.ensemble)
    }
  }
  return { judges, ensembles: reached }
}
