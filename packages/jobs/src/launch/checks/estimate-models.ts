import {
  type ApiEndpoint,
  type ChatMessage,
  costOfTokens,
  type EvaluationJob,
  findPrice,
  type LaunchEstimate,
  maskUrlUser,
} from "@assay/schemas"
import { isObject } from "@assay/json"
import { givenOutput, type MetricDefinition, runParams, type SourceRow } from "@assay/scoring"
import type { TaskShape } from "@assay/evaluation"
import { createStepBudget, type StepBudget } from "@assay/templates"
import type { LaunchPorts } from "../launch-ports.ts"
import { FIRST_ROWS, type SeenDataset } from "./check-datasets.ts"

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

/** The requests of a task to a model, as far as its first rows show them. */
interface PromptEstimate {
  /** How many rows were rendered; at least one. */
  readonly rows: number
  /** Tokens of a prompt, on average. */
  readonly tokens: number
  /** The limit of an answer, if the requests have one. */
  readonly maxTokens: number | undefined
}

/** A common approximation for English text. Code and other languages have fewer characters for each token. */
const CHARACTERS_PER_TOKEN = 4
/** Templates of users may take long. All together have this time, and the steps of one. */
const MAX_RENDER_MS = 100

/** Renders the requests about the first rows. Returns undefined if none can be rendered: other checks say why. */
function estimatePrompts(
  asked: AskedTarget,
  task: Pick<TaskShape, "rows">,
  context: EstimateRows,
): PromptEstimate | undefined {
  return averageOf(task, context, (item, steps) => [asked.render(item, steps)])
}

/**
 * Renders the requests of a judge about the first rows. If a model answers, a text of `answerTokens` replaces its answer.
 * Returns undefined if none can be rendered.
 */
function estimateJudgePrompts(
  render: NonNullable<MetricDefinition["renderRequests"]>,
  task: Pick<TaskShape, "rows" | "given">,
  { answerTokens, ...context }: EstimateRows & { readonly answerTokens: number | undefined },
): PromptEstimate | undefined {
  const text = answerTokens === undefined ? undefined : "x".repeat(Math.round(answerTokens * CHARACTERS_PER_TOKEN))
  return averageOf(task, context, (item, steps) => {
    const sample =
      text === undefined ? (task.given ?? givenOutput.ofRow)(item) : { ...givenOutput.ofRow({}), output_text: text }
    return render({ item, sample }, steps).flatMap(({ body }) => (isChat(body) ? [chatOf(body)] : []))
  })
}

interface EstimateRows {
  readonly seen: readonly SeenDataset[]
  readonly now: () => number
}

type AskedTarget = NonNullable<TaskShape["asked"]>
type Chat = ReturnType<AskedTarget["render"]>

function averageOf(
  task: Pick<TaskShape, "rows">,
  { seen, now }: EstimateRows,
  render: (item: SourceRow["item"], steps: StepBudget) => readonly Chat[],
): PromptEstimate | undefined {
  const begun = now()
  const steps = createStepBudget()
  let rows = 0
  let characters = 0
  let maxTokens: number | undefined
  for (const item of firstItems(task, seen)) {
    if (rows > 0 && now() - begun > MAX_RENDER_MS) break
    try {
      for (const { messages, parameters } of render(item, steps)) {
        characters += messages.reduce((sum, message) => sum + charactersOf(message), 0)
        maxTokens ??= limitOf(parameters)
      }
      rows += 1
    } catch {
      // A row that the template refuses is reported when the job runs.
    }
  }
  return rows === 0 ? undefined : { rows, tokens: characters / rows / CHARACTERS_PER_TOKEN, maxTokens }
}

function isChat(body: unknown): body is Readonly<Record<string, unknown>> & { readonly messages: ChatMessage[] } {
  return isObject(body) && Array.isArray(body["messages"])
}

function chatOf({ messages, ...parameters }: { readonly messages: ChatMessage[] }): Chat {
  return { messages, parameters }
}

function firstItems({ rows }: Pick<TaskShape, "rows">, seen: readonly SeenDataset[]) {
  if (rows.kind === "rows") return rows.rows.slice(0, FIRST_ROWS)
  const key = JSON.stringify(rows.dataset)
  const found = seen.find(({ dataset }) => JSON.stringify(dataset) === key)
  return (found?.rows ?? []).flatMap(({ row: { row } }) => (isObject(row) ? [row] : []))
}

/** Counts the texts of a message. Images and sounds are not counted. */
function charactersOf({ content }: ChatMessage): number {
  if (typeof content === "string") return content.length
  if (!Array.isArray(content)) return 0
  return content.reduce<number>((sum, part: unknown) => {
    const text = isObject(part) ? part["text"] : undefined
    return sum + (typeof text === "string" ? text.length : 0)
  }, 0)
}

function limitOf({ max_tokens, max_completion_tokens }: Readonly<Record<string, unknown>>): number | undefined {
  const limit = max_completion_tokens ?? max_tokens
  return typeof limit === "number" ? limit : undefined
}
