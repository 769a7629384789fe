import { storedRows } from "@assay/evaluation"
import { readRows, resultScores, type ScoreGate, scoreGates } from "@assay/results"
import { AssayError, type EvaluationResult, type EvaluationRow, type JobGateState } from "@assay/schemas"
import { mapScores } from "../statement/map-scores.ts"
import type { BundleSide } from "../statement/verdict-statement.ts"
import type { EvidencePorts } from "./evidence-ports.ts"
import type { PlannedSide, ReadableSide } from "./plan-side.ts"

/** The numbers of a side, computed from its rows. */
export interface RecountedSide {
  readonly result: BundleSide["result"]
  readonly gates: readonly unknown[]
  /** Those of them that are in its configuration. */
  readonly ofConfig: readonly JobGateState[]
  /** Parts that can't be computed from rows, and are as they are stored. */
  readonly taken: string[]
  /** The number of means that labels in the bundle correct. */
  readonly corrected: number
}

/** A side with its rows in memory, if they are. */
export interface CountableSide extends ReadableSide {
  /** Reads its rows, which may lack texts that its numbers do not need. Default: its lines are parsed. */
  readonly read?: (() => AsyncIterable<readonly EvaluationRow[]>) | undefined
}

/** Counts the rows of a side, and compares its scores with its gates. */
export async function recountSide(
  { side, rows, read = (stop?: AbortSignal) => readRows(rows(stop)) }: CountableSide,
  plan: PlannedSide,
  ports: EvidencePorts,
): Promise<RecountedSide> {
  const { id, config } = side
  const { now, random, sleep, signal } = ports
  const people = needsPeople(side)
    ? { journal: { read: (stop?: AbortSignal) => readRows(rows(stop)) }, readLabels: labelsOf(side) }
    : undefined
  const planned = plan.gates.length
  const more = side.gates.slice(planned)
  const isCalibration = config.type === "calibration"
  const ofJob = isCalibration ? [] : more.filter(isOfJob)
  const counted = await storedRows.count(
    plan,
    { id, config },
    { read, gates: ofJob.map(gateOf), people, signal, environment: { now, random, sleep } },
  )
  const taken: string[] = []
  const result = {
    tasks: withTaken(counted.result.tasks, { side, part: "tasks", taken }),
    groups: withTaken(counted.result.groups, { side, part: "groups", taken }),
  }
  const corrected = resultScores
    .list({ tasks: result.tasks, groups: {} })
    .filter(({ task, metric, found }) => found.corrected !== undefined && hasLabels(side, task, metric)).length
  const ofConfig = counted.gates.slice(0, planned)
  if (isCalibration && more.length > 0) {
    taken.push(`${more.length} gates of the report of judges`)
    return { result, gates: [...ofConfig, ...more], ofConfig, taken, corrected }
  }
  const facts = { id: "", job: id, files_url: null, namespace: "", created_at: "" }
  const others = more.filter((gate) => !isOfJob(gate))
  const gates = scoreGates.check({ ...facts, ...result }, others.map(gateOf))
  return { result, gates: [...counted.gates, ...gates], ofConfig, taken, corrected }
}

/** Returns whether the job was judged by a gate itself. Those of `eval bundle`, and of runs of older versions, are decided apart from the others. */
function isOfJob(gate: BundleSide["gates"][number]): boolean {
  return "stop" in gate
}

/** Reads the labels that are in the bundle. */
function labelsOf({ labels = [] }: BundleSide) {
  return (reference: string): Promise<{ readonly name: string; readonly rows: BundleLabelRows }> => {
    const found = labels.find((one) => one.reference === reference)
    if (found !== undefined) return Promise.resolve(found)
    return Promise.reject(new AssayError("dataset_missing", `The labels '${reference}' are not in the bundle.`))
  }
}

type BundleLabelRows = NonNullable<BundleSide["labels"]>[number]["rows"]

/** Returns whether a side has corrections or reports about judges that can be computed. */
function needsPeople(side: BundleSide): boolean {
  return resultScores
    .list({ tasks: side.result.tasks, groups: {} })
    .some(
      ({ task, metric, found: { corrected, judge } }) =>
        (corrected !== undefined || judge !== undefined) && hasLabels(side, task, metric),
    )
}

/** Returns whether what people say about a score can be computed: its texts are here, and the labels that its metric names, if it names any. */
function hasLabels({ config, labels = [], tasks: redacted }: BundleSide, task: string, metric: string): boolean {
  const metrics = (Object.hasOwn(config.tasks ?? {}, task) ? config.tasks?.[task]?.metrics : undefined) ?? {}
  const reference = Object.hasOwn(metrics, metric) ? metrics[metric]?.labels : undefined
  return redacted === undefined && (reference === undefined || labels.some((one) => one.reference === reference))
}

/** Returns the gate of an outcome. */
function gateOf({ name, limit }: BundleSide["gates"][number]): ScoreGate {
  return scoreGates.parse(`${name}${limit}`)
}

interface StoredPart {
  readonly side: BundleSide
  readonly part: "tasks" | "groups"
  readonly taken: string[]
}

/**
 * Adds what rows do not have: corrections and reports about judges whose labels are not in the bundle, and in a redacted bundle the scores over all texts at once.
 * `taken` gets their names.
 */
function withTaken(counted: EvaluationResult["tasks"], { side, part, taken }: StoredPart): EvaluationResult["tasks"] {
  const stored = side.result[part]
  const corrected = mapScores(counted, (score, { task, metric, score: name }) => {
    const { corrected: found, judge, identity } = stored[task]?.metrics[metric]?.scores[name] ?? {}
    if (part === "tasks" && hasLabels(side, task, metric)) return score
    // The texts that give a score its identity are left out of a redacted bundle.
    const named = side.tasks === undefined || identity === undefined ? score : { ...score, identity }
    if (found !== undefined) taken.push(`${task}.${metric}.${name} corrected by people`)
    if (judge !== undefined) taken.push(`the report about the judge of ${task}.${metric}.${name}`)
    const { corrected: _corrected, judge: _judge, ...own } = named
    return { ...own, ...(found === undefined ? {} : { corrected: found }), ...(judge === undefined ? {} : { judge }) }
  })
  const ofTexts = (side.tasks ?? []).flatMap(({ name: task, group = task, metrics }) =>
    metrics.flatMap(({ key, of_texts }) => of_texts.map((score) => ({ task: group, metric: key, score }))),
  )
  for (const { task, metric, score } of ofTexts) {
    const found = stored[task]?.metrics[metric]?.scores[score]
    const scores = corrected[task]?.metrics[metric]?.scores
    if (found === undefined || scores === undefined) continue
    scores[score] = found
    taken.push(`${task}.${metric}.${score}`)
  }
  return corrected
}

/** Returns the number of scores with their intervals in a result. */
export function countScores(result: BundleSide["result"]): number {
  return resultScores.list(result).length
}
