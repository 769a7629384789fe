import type { ChatMessage } from "@assay/schemas"
import { createStepBudget } from "@assay/templates"
import type { AskedTarget, TaskShape } from "../../plan/task-shape.ts"
import { FIRST_ROWS, type SeenDataset } from "./check-datasets.ts"

/** The requests of a task to its target, as far as its first rows show them. */
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
  { seen, now }: { readonly seen: readonly SeenDataset[]; readonly now: () => number },
): PromptEstimate | undefined {
  const begun = now()
  const steps = createStepBudget()
  let [rows, characters] = [0, 0]
  let maxTokens: number | undefined
  for (const item of firstItems(task, seen)) {
    if (rows > 0 && now() - begun > MAX_RENDER_MS) break
    try {
      const { messages, parameters } = asked.render(item, steps)
      characters += messages.reduce((sum, message) => sum + charactersOf(message), 0)
      maxTokens ??= limitOf(parameters)
      rows += 1
    } catch {
      // A row that the template refuses is reported when the job runs.
    }
  }
  return rows === 0 ? undefined : { rows, tokens: characters / rows / CHARACTERS_PER_TOKEN, maxTokens }
}

function firstItems({ rows }: Pick<TaskShape, "rows">, seen: readonly SeenDataset[]) {
  if (rows.kind === "rows") return rows.rows.slice(0, FIRST_ROWS)
  const key = JSON.stringify(rows.dataset)
  const found = seen.find(({ dataset }) => JSON.stringify(dataset) === key)
  return (found?.rows ?? []).flatMap(({ row: { row } }) => (isItem(row) ? [row] : []))
}

function isItem(row: unknown): row is Readonly<Record<string, unknown>> {
  return typeof row === "object" && row !== null && !Array.isArray(row)
}

/** Counts the texts of a message. Images and sounds are not counted. */
function charactersOf({ content }: ChatMessage): number {
  if (typeof content === "string") return content.length
  if (!Array.isArray(content)) return 0
  return content.reduce<number>((sum, part: unknown) => {
    const text = isItem(part) ? part["text"] : undefined
    return sum + (typeof text === "string" ? text.length : 0)
  }, 0)
}

function limitOf({ max_tokens, max_completion_tokens }: Readonly<Record<string, unknown>>): number | undefined {
  const limit = max_completion_tokens ?? max_tokens
  return typeof limit === "number" ? limit : undefined
}
