import type { ChatMessage } from "@assay/schemas"
import { isObject } from "@assay/json"
import { givenOutput, type MetricDefinition, type SourceRow } from "@assay/scoring"
import type { TaskShape } from "@assay/evaluation"
import { createStepBudget, type StepBudget } from "@assay/templates"
import { FIRST_ROWS, type SeenDataset } from "./check-datasets.ts"

/** The requests of a task to a model, as far as its first rows show them. */
export interface PromptEstimate {
  /** How many rows were rendered; at least one. */
  readonly rows: number
  /** Tokens of a prompt, on average. */
  readonly tokens: number
  /** The limit of an answer, if the requests have one. */
  readonly maxTokens: number | undefined
}

/** A common approximation for English text. Code and other languages have fewer characters for each token. */
export const CHARACTERS_PER_TOKEN = 4

/** Templates of users may take long. All together have this time, and the steps of one. */
const MAX_RENDER_MS = 100

/** Renders the requests about the first rows. Returns undefined if none can be rendered: other checks say why. */
export function estimatePrompts(
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
export function estimateJudgePrompts(
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
