import {
  type ApiEndpoint,
  costOfTokens,
  type EvaluationJob,
  findPrice,
  type LaunchEstimate,
  maskUrlUser,
} from "@assay/schemas"
import { runParams } from "@assay/scoring"
import type { TaskShape } from "@assay/evaluation"
import type { LaunchPorts } from "./launch-ports.ts"
import type { SeenDataset } from "./check-datasets.ts"
import { type PromptEstimate, CHARACTERS_PER_TOKEN, estimatePrompts, estimateJudgePrompts } from "./estimate-prompts.ts"

type TaskEstimate = LaunchEstimate["tasks"][number]
type ModelEstimate = LaunchEstimate["models"][number]

export interface ModelEstimates {
  readonly models: readonly ModelEstimate[]
  /** The newest job of each target that was asked before, by its model. */
  readonly earlier: readonly EarlierAnswers[]
  readonly notes: readonly string[]
}

export interface EstimateContext {
  readonly seen: readonly SeenDataset[]
  readonly jobs: Parameters<typeof earlierAnswers>[0]
  readonly environment: Pick<LaunchPorts, "prices" | "now">
}

/** Estimates tokens and cost of each model that the tasks ask. */
export function estimateModels(
  tasks: readonly (readonly [TaskShape, TaskEstimate])[],
  context: EstimateContext,
): ModelEstimates {
  const notes = new Set<string>()
  const uses = tasks.flatMap(([task, estimate]) => usesOf(task, estimate, context, notes))
  const models = Map.groupBy(uses, ({ endpoint: { url, model_id } }) => JSON.stringify([url, model_id]))
  return {
    models: [...models.values()].map((same) => modelOf(same, context.environment.prices, notes)),
    earlier: uses.flatMap(({ earlier }) => (earlier === undefined ? [] : [earlier])),
    notes: [...notes],
  }
}

/** The requests of one task to one model. */
interface ModelUse {
  readonly endpoint: ApiEndpoint
  readonly earlier: EarlierAnswers | undefined
  readonly requests: number | null
  /** Of one request. */
  readonly prompt: number | null
  readonly completion: number | null
}

function usesOf(
  task: TaskShape,
  { about_rows: rows, repeats }: TaskEstimate,
  { seen, jobs, environment: { now } }: EstimateContext,
  notes: Set<string>,
): readonly ModelUse[] {
  const { asked, endpoints } = task
  const requests = rows === null ? null : rows * repeats
  const context = { seen, now }

  const useOf = (
    endpoint: ApiEndpoint,
    prompts: PromptEstimate | undefined,
    all: readonly EarlierAnswers[] = [],
  ): ModelUse => {
    if (prompts === undefined) return { endpoint, earlier: undefined, requests, prompt: null, completion: null }
    notes.add(`Prompts: ${CHARACTERS_PER_TOKEN} characters are counted as a token, in ${prompts.rows} rendered rows.`)
    const earlier = all.find(({ parallelism }) => parallelism === task.run.parallelism)
    const { maxTokens } = prompts
    const counted = all.find(({ completionTokens }) => completionTokens > 0)
    const completion =
      counted === undefined ? (maxTokens ?? null) : Math.min(counted.completionTokens, maxTokens ?? Infinity)
    notes.add(noteOfAnswers(endpoint.model_id, counted, maxTokens))
    return { endpoint, earlier, requests, prompt: prompts.tokens, completion }
  }
  const judgeOf = (endpoint: ApiEndpoint, answerTokens: number | null | undefined): ModelUse => {
    const metric = task.metrics.find((one) => one.endpoints.includes(endpoint))
    const prompts =
      metric?.renderRequests === undefined || answerTokens === null
        ? undefined
        : estimateJudgePrompts(metric.renderRequests, task, { ...context, answerTokens })
    if (prompts === undefined)
      notes.add(`Tokens of '${endpoint.model_id}' are not known: its prompts depend on answers.`)
    // Jobs count the tokens of their targets, so earlier ones say nothing about a judge.
    return useOf(endpoint, prompts)
  }
  const target =
    asked === undefined
      ? undefined
      : useOf(asked.endpoint, estimatePrompts(asked, task, context), earlierAnswers(jobs, asked.endpoint))
  const judges = target === undefined ? endpoints : endpoints.slice(1)
  return [...(target === undefined ? [] : [target]), ...judges.map((judge) => judgeOf(judge, target?.completion))]
}

function noteOfAnswers(model: string, counted: EarlierAnswers | undefined, maxTokens: number | undefined): string {
  if (counted !== undefined) return `Answers of '${model}': the mean of ${counted.answers} answers of ${counted.job}.`
  if (maxTokens !== undefined) return `Answers of '${model}': max_tokens, which most answers stay below.`
  return `The length of answers of '${model}' is not known: set max_tokens, or run a few rows first with limit_samples.`
}

function modelOf(uses: readonly ModelUse[], prices: LaunchPorts["prices"], notes: Set<string>): ModelEstimate {
  const { url = "", model_id: model = "" } = uses[0]?.endpoint ?? {}
  const prompt_tokens = sumOf(uses.map(({ requests, prompt }) => product(requests, prompt)))
  const completion_tokens = sumOf(uses.map(({ requests, completion }) => product(requests, completion)))
  const price = prices === undefined ? undefined : findPrice(prices, model)
  if (prices !== undefined && price === undefined) {
    notes.add(
      `The cost of '${model}' is not known: give it prompt_price and completion_price in the evaluation file, or add its price to the file that ASSAY_PRICES_FILE names.`,
    )
  }
  const isKnown = price !== undefined && prompt_tokens !== null && completion_tokens !== null
  const cost = isKnown ? costOfTokens(price, { prompt: prompt_tokens, completion: completion_tokens }) : null
  const requests = sumOf(uses.map((use) => use.requests))
  return { model, url: maskUrlUser(url), requests, prompt_tokens, completion_tokens, cost }
}

function product(requests: number | null, tokens: number | null): number | null {
  return requests === null || tokens === null ? null : Math.round(requests * tokens)
}

/** Returns the sum; null if one of the numbers is not known. */
export function sumOf(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0)
}

/** The facts about answers from an earlier job of the same model. */
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
 * their requests; those with one attempt alone look the same in their records, so the newest job decides.
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
