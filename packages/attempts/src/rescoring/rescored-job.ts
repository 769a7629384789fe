import { invalidRequest, type EvaluationConfigBody, type JobGate, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { METRIC_TASKS, runParams } from "@assay/scoring"
import { rescoring, type RunnableJob } from "@assay/evaluation"

type Subject = Pick<RunnableJob, "target" | "config" | "namespace">

/** A job that computes the scores of outputs which another job has. */
export interface RescoredJob {
  readonly subject: Subject
  /** Returns the name that a task has in the other job. */
  readonly taskOf: (task: string) => string
}

/**
 * Returns the job that scores the outputs of `job` with the metrics of `config`. A task has the outputs of the task with its name, or of the only one.
 * Gates that can end a job early are compared at its end, and gates `against` other results are left out.
 * @throws `invalid_request` if the tasks do not fit
 */
export function rescoredJob(job: Subject, config: EvaluationConfigBody): RescoredJob {
  for (const { type } of [config, job.config]) {
    if (type === "benchmark" || type === "calibration") {
      const message = `has the type '${type}', whose rows have no outputs that metrics could score.`
      throw invalidRequest(["config", "type"], message, "value_error", type)
    }
  }
  const asked = rescoredConfig(config)
  const names = pairTasks(Object.keys(asked.tasks ?? { default: {} }), Object.keys(job.config.tasks ?? { default: {} }))
  checkTurns(names, asked, job.config)
  const repeated = Object.fromEntries(
    [...names].map(([name, own]) => {
      const run = runParams(job.config.params, job.config.tasks?.[own]?.params)
      const task = asked.tasks?.[name] ?? {}
      const { maxFailedShare } = runParams(asked.params, task.params)
      const params = {
        ...task.params,
        repeats: run.repeats,
        max_failed_share: Math.max(maxFailedShare, run.maxFailedShare),
      }
      return [name, { ...task, params }]
    }),
  )
  return {
    subject: { ...job, config: { ...asked, tasks: repeated } },
    taskOf: (task) => names.get(task) ?? task,
  }
}

/** @throws the first fault of the metrics, with the messages of all */
export function checkRescoredMetrics({ target, config }: Pick<Subject, "target" | "config">): void {
  const { issues } = rescoring.shape({ target, config })
  const [first] = issues
  if (first !== undefined) throw new AssayError(first.code, issues.map(({ message }) => message).join(" "))
}

/** @throws `invalid_request` for a conversation whose outputs are single answers */
function checkTurns(names: ReadonlyMap<string, string>, config: EvaluationConfigBody, stored: EvaluationConfigBody) {
  for (const [name, own] of names) {
    if (!isConversation(config.tasks?.[name]) || isConversation(stored.tasks?.[own])) continue
    const message = `is a conversation, and the rows of '${printable(own)}' whose outputs are scored have no turns.`
    throw invalidRequest(["config", "tasks", name], message, "value_error")
  }
}

function isConversation(task: { readonly type?: string } | undefined): boolean {
  return task?.type === "conversation"
}

/** Returns the names of tasks with those of the tasks whose outputs they score. @throws `invalid_request` */
function pairTasks(names: readonly string[], stored: readonly string[]): ReadonlyMap<string, string> {
  const [only = ""] = stored
  if (names.length === 1 && stored.length === 1) return new Map([[names[0] ?? "", only]])
  const missing = names.filter((name) => !stored.includes(name))
  const left = stored.filter((name) => !names.includes(name))
  if (missing.length + left.length === 0) return new Map(names.map((name) => [name, name]))
  const list = (all: readonly string[]) => all.map((name) => `'${printable(name)}'`).join(", ")
  const message = `has the tasks ${list(names)}, and the job whose outputs are scored has ${list(stored)}; give the tasks the same names.`
  throw invalidRequest(["config", "tasks"], message, "value_error")
}

/** Returns a configuration whose tasks ask no target, and which nothing ends early. */
function rescoredConfig({ tasks, params = {}, ...config }: EvaluationConfigBody): EvaluationConfigBody {
  const {
    budget: _budget,
    executor: _executor,
    shards: _shards,
    at_once: _atOnce,
    limit_samples: _limit,
    recording: _recording,
    ...kept
  } = params
  const gates = (params.gates ?? []).flatMap(wholeGate)
  const whole = { ...config, params: { ...kept, ...(params.gates === undefined ? {} : { gates }) } }
  if (tasks === undefined) return whole
  const hasConversation = Object.values(tasks).some(isConversation)
  const scored = Object.entries(tasks).map(([name, { output: _output, ...task }]) => {
    const isLikelihood = METRIC_TASKS.likelihood.some((type) => type === task.type)
    // Checks of turns are part of how a conversation is held, so its task stays what it is.
    const isData = config.type === "custom" && !isLikelihood && !hasConversation
    return [name, isData ? { ...task, type: "data" } : task] as const
  })
  return { ...whole, tasks: Object.fromEntries(scored) }
}

function wholeGate({
  stop: _stop,
  alpha: _alpha,
  range: _range,
  margin: _margin,
  against,
  ...gate
}: JobGate): JobGate[] {
  return against === undefined ? [gate] : []
}
