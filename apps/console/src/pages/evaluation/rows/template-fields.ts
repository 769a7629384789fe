import type { EvaluationConfigBody, EvaluationTask, ScoredRow } from "@assay/schemas"

type Item = ScoredRow["item"]

/** Names of fields that hold a reference if no metric says which one does. */
const USUAL = ["reference", "expected", "answer", "target", "ideal", "ground_truth", "gold", "solution", "label"]
/** Characters of a template that are read. */
const MAX_TEMPLATE = 100_000
/** Characters inside of one pair of braces. */
const EXPRESSION = /\{[{%]([^{}]{1,2000})[}%]\}/gu
const WORD = /[\p{L}_][\p{L}\p{N}_]*/gu

/** Returns the words inside of the braces of all templates in a value. Names of fields are among them. */
function wordsOfTemplates(value: unknown): ReadonlySet<string> {
  const text = (JSON.stringify(value) ?? "").slice(0, MAX_TEMPLATE)
  const words = [...text.matchAll(EXPRESSION)].flatMap(([, inner = ""]) => inner.match(WORD) ?? [])
  return new Set(words)
}

/** Returns the words in the templates of prompts and metrics of all tasks: fields among them matter for the scores. */
export function askedFields({ tasks = {} }: Pick<EvaluationConfigBody, "tasks">): ReadonlySet<string> {
  return wordsOfTemplates(
    Object.values(tasks).map(({ params, metrics, output }) => [params?.template, metrics, output]),
  )
}

/**
 * Returns the fields of a row without which nobody can judge its answer: those that prompts and metrics use. Of a task without a prompt, such as one
 * over stored answers, no template says what was asked: then each text and conversation may be the question. Without any, all fields are returned.
 */
export function fieldsToLabel(
  config: Pick<EvaluationConfigBody, "tasks">,
  { task, item, output }: Pick<ScoredRow, "task" | "item" | "output">,
): ReadonlySet<string> {
  const asked = askedFields(config)
  const hasPrompt = config.tasks?.[task]?.params?.template !== undefined
  const isQuestion = (value: unknown) => !hasPrompt && (typeof value === "string" || Array.isArray(value))
  const names = Object.keys(item)
  // A field that is the answer is shown as the answer.
  const found = names.filter(
    (name) => (asked.has(name) || isQuestion(item[name])) && (hasPrompt || item[name] !== output),
  )
  return new Set(found.length === 0 ? names : found)
}

/**
 * Returns the text with which the answer to a row is compared, and the name of its field: the first field that a metric uses and the prompt
 * does not, or one with a usual name. Undefined if there is none.
 */
export function referenceOf(task: EvaluationTask | undefined, item: Item): { name: string; text: string } | undefined {
  const { params, metrics = {}, output } = task ?? {}
  const inPrompt = wordsOfTemplates([params?.template, output])
  const compared = Object.values(metrics).filter(({ type }) => type !== "llm-judge")
  const inMetrics = wordsOfTemplates(compared)
  const fields = Object.keys(item).filter((name) => !inPrompt.has(name))
  const names = [...fields.filter((name) => inMetrics.has(name)), ...USUAL.filter((name) => fields.includes(name))]
  for (const name of names) {
    const value = item[name]
    if ((typeof value === "string" && value !== "") || typeof value === "number") return { name, text: String(value) }
  }
  return undefined
}
