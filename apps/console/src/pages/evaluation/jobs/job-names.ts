import type { EvaluationJob } from "@assay/schemas"

/** Returns the words for a job: its description, or its configuration, or its id. */
export function nameOfJob({ description, config, id }: Pick<EvaluationJob, "description" | "config" | "id">): string {
  if (description !== "") return description
  return config.name === undefined || config.name === "" ? id : config.name
}

/** Returns the words for what a list calls the model of a job: stored answers are named by their file. */
export function nameOfModel(model: string): string {
  return model.startsWith("assay://") ? `answers in ${model.split("/").findLast((part) => part !== "")}` : model
}

/** Returns the words for what a job asks: the model, or the file with the answers. */
export function nameOfTarget({ target }: Pick<EvaluationJob, "target">): string {
  const { type } = target
  const { model, cached_outputs: outputs } = target as {
    readonly model?: unknown
    readonly cached_outputs?: { readonly files_url?: string }
  }
  if (typeof model === "string") return model
  const endpoint = (model as { readonly api_endpoint?: { readonly model_id?: string } } | undefined)?.api_endpoint
  return endpoint?.model_id ?? nameOfModel(outputs?.files_url ?? type)
}

/** Returns the words for a job in a list of choices: its name, what it asks, and when it was created (UTC). */
export function choiceOfJob(job: EvaluationJob): string {
  const created = job.created_at.slice(0, "2026-11-30T09:30".length).replace("T", " ")
  return `${nameOfJob(job)} · ${nameOfTarget(job)} · ${created}`
}

/** Returns the words for jobs in a list of choices, by id. Those with equal words have their id behind them. */
export function choicesOfJobs(jobs: readonly EvaluationJob[]): ReadonlyMap<string, string> {
  const sameWords = Map.groupBy(jobs, choiceOfJob)
  return new Map(
    [...sameWords].flatMap(([words, same]) =>
      same.map(({ id }) => [id, same.length === 1 ? words : `${words} · ${id}`] as const),
    ),
  )
}

/** Returns how long a job ran so far, in milliseconds; undefined before it starts. */
export function durationOf(job: Pick<EvaluationJob, "started_at" | "finished_at">, now: number): number | undefined {
  if (job.started_at === null) return undefined
  const end = job.finished_at === null ? now : Date.parse(job.finished_at)
  return Math.max(0, end - Date.parse(job.started_at))
}
