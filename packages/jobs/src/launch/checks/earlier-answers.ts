import type { ApiEndpoint, EvaluationJob } from "@assay/schemas"
import { runParams } from "@assay/scoring"

/** What an earlier job of the same model says about its answers. */
export interface EarlierAnswers {
  /** The id of the job. */
  readonly job: string
  readonly answers: number
  /** Tokens of an answer, on average. */
  readonly completionTokens: number
  readonly parallelism: number
  /** From the start to the end of the job. */
  readonly seconds: number
}

/**
 * Returns what earlier jobs say about the answers of a model, in the order of the jobs. Jobs that were interrupted take longer than
 * their requests; those with one attempt alone cannot be told apart in their records, so the newest job decides.
 */
export function earlierAnswers(
  jobs: readonly EvaluationJob[],
  { url, model_id }: Pick<ApiEndpoint, "url" | "model_id">,
): readonly EarlierAnswers[] {
  return jobs.flatMap(({ id, target, config, status_details: details, started_at, finished_at }) => {
    const endpoint = target.model?.api_endpoint
    if (endpoint?.url !== url || endpoint.model_id !== model_id) return []
    const { samples_processed: processed = 0, samples_failed: failed = 0, tokens } = details
    const answers = processed - failed
    if (answers <= 0 || started_at === null || finished_at === null) return []
    return [
      {
        job: id,
        answers,
        // Not known if the endpoint does not count tokens.
        completionTokens: (tokens?.completion ?? 0) / answers,
        parallelism: runParams(config.params, Object.values(config.tasks ?? {})[0]?.params).parallelism,
        seconds: (Date.parse(finished_at) - Date.parse(started_at)) / 1000,
      },
    ]
  })
}
