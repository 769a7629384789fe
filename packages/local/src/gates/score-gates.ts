import { gateTexts } from "@assay/evaluation-files"
import { type JobGate, nearestNames, printable, scaleFault, scoreScale } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { shapePlan } from "@assay/evaluation"
import { resultScores, type ScoreGate, scoreGates } from "@assay/results"
import type { OpenedEvaluationFile } from "../file/evaluation-file.ts"

type FileContent = OpenedEvaluationFile["content"]

export interface GivenGates {
  /** Gates that the user gives besides those of the file. */
  readonly given?: readonly ScoreGate[]
  /** Make all of them early gates. Default false. */
  readonly stopEarly?: boolean
}

export interface FileGates {
  /** The gates that are compared with the result. */
  readonly gates: readonly ScoreGate[]
  /** The gates that end the job as soon as they are decided, which are a part of it. Absent: they are not early. */
  readonly early?: JobGate[]
}

/**
 * Returns the gates of a file and those that the user gives. Each has to name a score that the job will have. This is not checked if target
 * or configuration is only named, or if they have faults: then the result decides.
 * @throws `bad_usage` with the names of all scores, and if early gates are not possible; `bad_document` with the location of a gate of the file that
 *   can't be read, or that names a score which the job will not have
 */
export function fileGates(
  { content, document, sharedNames }: Pick<OpenedEvaluationFile, "content" | "document" | "sharedNames">,
  { given = [], stopEarly = false }: GivenGates = {},
): FileGates {
  const texts = (content.gates ?? []).filter((gate) => typeof gate === "string")
  const hasGates = texts.length + given.length > 0
  const scores = hasGates ? scoresOf(content) : undefined
  for (const gate of given) {
    checkShared(gate, sharedNames)
    checkGate(gate, content, scores)
  }
  const written: unknown = (document.value as Partial<Record<string, unknown>> | null)?.["gates"]
  const own = texts.map((text) => {
    try {
      const gate = scoreGates.parse(text)
      checkGate(gate, content, scores)
      return gate
    } catch (error) {
      if (!isAssayError(error, "bad_usage")) throw error
      const at = Array.isArray(written) ? written.indexOf(text) : 0
      throw new AssayError("bad_document", `${document.locationOf(`/gates/${at}`)}: ${error.message}`, { cause: error })
    }
  })
  const gates = [...own, ...given]
  return stopEarly ? { gates: [], early: earlyGates(gates, content, scores) } : { gates }
}

/**
 * Returns a file with all gates of its job: those of the file, and those that the user gives. The job is judged by them, wherever it runs.
 * @throws the errors of `fileGates`
 */
export function withJobGates(file: OpenedEvaluationFile, options: GivenGates = {}): OpenedEvaluationFile {
  const { content } = file
  const { gates, early } = fileGates(file, options)
  const scores = scoresOf(content)
  const named = early ?? gates.map((gate) => (scores === undefined ? textOfGate(gate) : wholeGate(gate, scores)))
  const ofStored = (content.gates ?? []).filter((gate) => typeof gate === "object")
  return { ...file, content: { ...content, gates: [...ofStored, ...named] } }
}

function textOfGate({ name, limit, isCorrected, isOnTheseRows }: ScoreGate): string {
  return `${name}${isCorrected === true ? gateTexts.corrected : ""} ${scoreGates.formatLimit(limit, isOnTheseRows)}`
}

function wholeGate({ name, limit, isCorrected, isOnTheseRows }: ScoreGate, scores: readonly JobScore[]): JobGate {
  return {
    ...checkName(name, scores),
    ...("atLeast" in limit ? { op: ">=", value: limit.atLeast } : { op: "<=", value: limit.atMost }),
    ...(isCorrected === true ? { corrected: true } : {}),
    ...(isOnTheseRows === true ? { on_these_rows: true } : {}),
  }
}

/** Refuses a gate that names several checks: the first of them would be compared, and the others would not. @throws `bad_usage` */
function checkShared({ name }: ScoreGate, sharedNames: OpenedEvaluationFile["sharedNames"] = new Map()): void {
  const same = sharedNames.get(name)
  if (same === undefined) return
  const names = same.map((metric) => `'answers.${printable(metric)}'`).join(" and ")
  const message = `A gate names '${printable(name)}', which is the name of ${same.length} checks: give each a \`name:\` of its own in the file, or write ${names}.`
  throw new AssayError("bad_usage", message)
}

function checkGate(
  { name, isCorrected, limit }: ScoreGate,
  { config }: FileContent,
  scores: readonly JobScore[] | undefined,
): void {
  if (scores === undefined || typeof config === "string") return
  const { task, metric, score } = checkName(name, scores)
  const found = config.tasks?.[task]?.metrics?.[metric]
  const [op, value] = "atLeast" in limit ? ([">=", limit.atLeast] as const) : (["<=", limit.atMost] as const)
  const fault = found === undefined ? undefined : scaleFault({ name, op, value }, scoreScale(found, score))
  if (fault !== undefined) throw new AssayError("bad_usage", `A gate can't be kept or broken: ${fault}`)
  if (isCorrected !== true || found?.labels !== undefined) return
  const message = `A gate compares '${printable(name)}' corrected by people, and its metric has no labels: name them as \`labels\` of metric '${printable(metric)}'.`
  throw new AssayError("bad_usage", message)
}

function earlyGates(
  gates: readonly ScoreGate[],
  { target, config }: FileContent,
  scores: readonly JobScore[] | undefined,
): JobGate[] {
  if (gates.length === 0) throw new AssayError("bad_usage", noEarlyGate(config))
  if (typeof target === "string" || typeof config === "string") {
    const message =
      "--stop-early needs target and configuration in the file; write the gates into the stored configuration, as params.gates."
    throw new AssayError("bad_usage", message)
  }
  // The checks of the launch report the faults of the job.
  if (scores === undefined) return []
  if (gates.some(({ isCorrected }) => isCorrected)) {
    const message =
      "--stop-early is not possible with a gate on a corrected mean: the labels are read when all rows are scored."
    throw new AssayError("bad_usage", message)
  }
  if (gates.every(({ isOnTheseRows }) => isOnTheseRows)) {
    const message = "--stop-early needs a gate with an interval: a gate on these rows needs all of them."
    throw new AssayError("bad_usage", message)
  }
  // A gate on these rows prevents the end of its task before all rows.
  return gates.map((gate) => ({
    ...wholeGate(gate, scores),
    ...(gate.isOnTheseRows ? {} : { stop: "early" as const }),
  }))
}

/** Says why no gate can end the job early. */
function noEarlyGate(config: FileContent["config"]): string {
  const isWithKeys = typeof config !== "string" && (config.params?.gates ?? []).length > 0
  return isWithKeys
    ? "--stop-early is for gates in one line, such as 'equals >= 0.5', and those of --gate. A gate with keys of its own ends the job early if it has 'stop: early'."
    : "--stop-early needs a gate: add --gate."
}

interface JobScore extends Required<Pick<JobGate, "task" | "metric" | "score">> {
  /** `task.metric.score`, with the name under which the results have the task. */
  readonly name: string
  readonly location: Pick<JobGate, "task" | "metric" | "score">
  /** Whether it is a mean of independent rows of one task: neither a score over all rows at once, nor one of several tasks or of rows in groups. */
  readonly isMeanOfRows: boolean
}

/** Returns the scores of a job, each name once; undefined if its target or its configuration is only named, or has faults. */
export function scoresOf({ target, config }: FileContent): readonly JobScore[] | undefined {
  if (typeof target === "string" || typeof config === "string") return undefined
  const { tasks, issues } = shapePlan(target, config)
  if (tasks.length === 0 || issues.length > 0) return undefined
  const scores = tasks.flatMap(({ name: own, group, run, metrics }) =>
    metrics.flatMap(({ key: metric, scores: names, ofAllRows = [] }) =>
      names.map((score): JobScore => {
        const task = group ?? own
        const name = `${task}.${metric}.${score}`
        const isShared = tasks.some((other) => other.name !== own && (other.group ?? other.name) === task)
        const isMeanOfRows = !ofAllRows.includes(score) && !isShared && run.clusterBy === undefined
        return { task, metric, score, name, location: { task: own, metric, score }, isMeanOfRows }
      }),
    ),
  )
  return [...new Map(scores.map((score) => [score.name, score])).values()]
}

function checkName(name: string, scores: readonly JobScore[]): JobScore["location"] {
  return findNamed(name, scores).location
}

/** Returns the score that a gate names. @throws `bad_usage` with the names of all scores; for a limit that every value keeps or breaks */
export function checkNamedGate(
  gate: ScoreGate,
  {
    content,
    sharedNames,
    scores,
  }: Pick<OpenedEvaluationFile, "content" | "sharedNames"> & { readonly scores: readonly JobScore[] },
): JobScore {
  checkShared(gate, sharedNames)
  checkGate(gate, content, scores)
  return findNamed(gate.name, scores)
}

export function findNamed(name: string, scores: readonly JobScore[]): JobScore {
  const found = resultScores.find(scores, name)
  if (found !== undefined) return found
  const names = scores.map((score) => score.name)
  const near = nearestNames(name, names)
  const hint = near.length === 0 ? "" : ` Did you mean ${near.map((one) => `'${printable(one)}'`).join(" or ")}?`
  const short = scores.map((score) => printable(shortestName(score, scores)))
  const message = `A gate names '${printable(name)}', which is not a score of this job. Its scores are ${short.join(", ")}.${hint}`
  const remedy = `Name one of these scores in the gate${short[0] === undefined ? "" : `, such as '${short[0]}'`}.`
  throw new AssayError("bad_usage", message, { context: { remedy } })
}

/** Returns the shortest name by which a gate finds a score. */
function shortestName(score: JobScore, scores: readonly JobScore[]): string {
  const { task, metric, score: of } = score.location
  const names = [metric, `${metric}.${of}`, `${task}.${metric}`]
  return names.find((name) => resultScores.find(scores, name) === score) ?? score.name
}
