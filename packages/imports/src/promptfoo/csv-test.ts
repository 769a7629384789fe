import { fieldsOf, readNumber } from "@assay/json"
import { valueText } from "@assay/scoring"

/** A test that a row of a CSV file describes. */
export interface CsvTest {
  readonly vars: Readonly<Record<string, string>>
  readonly assert: readonly object[]
  readonly threshold?: number
  readonly description?: string
  /** Columns whose meaning is not imported. */
  readonly unknown: readonly string[]
}

const LISTS: ReadonlySet<string> = new Set(["contains-all", "contains-any", "icontains-all", "icontains-any"])
/** Types that have a threshold in brackets, which is 0.75 if the cell has none. */
const LIMITED: ReadonlySet<string> = new Set([
  "answer-relevance",
  "classifier",
  "context-faithfulness",
  "context-recall",
  "context-relevance",
  "cost",
  "latency",
  "levenshtein",
  "perplexity-score",
  "perplexity",
  "rouge-n",
  "similar",
  "starts-with",
])
const PLAIN: ReadonlySet<string> = new Set([
  "bleu",
  "contains",
  "contains-html",
  "contains-json",
  "contains-sql",
  "contains-xml",
  "ends-with",
  "equals",
  "factuality",
  "finish-reason",
  "g-eval",
  "gleu",
  "icontains",
  "is-html",
  "is-json",
  "is-refusal",
  "is-sql",
  "is-valid-openai-function-call",
  "is-valid-openai-tools-call",
  "is-xml",
  "javascript",
  "llm-rubric",
  "meteor",
  "model-graded-closedqa",
  "model-graded-factuality",
  "moderation",
  "pi",
  "regex",
  "webhook",
  "word-count",
])
const FORM = /^(not-)?([a-z-]+)(?:\(([^)]*)\))?(?::([\s\S]*))?$/

/** Reads a row of a CSV file: variables, and what the columns that begin with `__` say. */
export function readCsvTest(row: unknown): CsvTest {
  const vars: Record<string, string> = {}
  const assert: object[] = []
  const unknown: string[] = []
  const limits = new Map<number, number>()
  const test: { threshold?: number; description?: string } = {}
  let metric: string | undefined
  for (const [name, value] of Object.entries(fieldsOf(row))) {
    const key = name.trim()
    const text = valueText(value)
    if (key.startsWith("__expected")) {
      if (text.trim() !== "") assert.push(assertionOfCell(text.trim()))
    } else if (key === "__metric") metric = text === "" ? undefined : text
    else if (key === "__threshold") Object.assign(test, given("threshold", numberOf(text)))
    else if (key === "__description") Object.assign(test, given("description", text === "" ? undefined : text))
    else if (key.startsWith("__config:")) {
      const found = limitOfColumn(key, text)
      if (found === undefined) unknown.push(key)
      else limits.set(found.index, found.threshold)
    } else if (key.startsWith("__metadata")) continue
    else if (key.startsWith("__")) {
      if (text.trim() !== "") unknown.push(key)
    } else vars[key] = text
  }
  const limited = assert.map((one, index) => ({
    ...one,
    ...given("threshold", limits.get(index)),
    ...given("metric", metric),
  }))
  return { vars, assert: limited, ...test, unknown }
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [name in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [name in Key]: Value })
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || text.trim() === "" ? undefined : readNumber(text.trim())
}

function limitOfColumn(key: string, text: string): { readonly index: number; readonly threshold: number } | undefined {
  const [, number = "1"] = /^__config:__expected(\d*):threshold$/.exec(key) ?? []
  const threshold = numberOf(text)
  if (!/^__config:__expected\d*:threshold$/.test(key) || threshold === undefined) return undefined
  return { index: Math.max(1, Number(number || "1")) - 1, threshold }
}

/** Reads a cell such as `not-contains: x` or `levenshtein(3): x`. Any other text has to equal the answer. */
function assertionOfCell(cell: string): object {
  const [prefix = ""] = /^(?:javascript|fn|eval|python|grade):/.exec(cell) ?? []
  if (prefix !== "") {
    const type = prefix === "grade:" ? "llm-rubric" : prefix === "python:" ? "python" : "javascript"
    return { type, value: cell.slice(prefix.length).trim() }
  }
  const [, not = "", type = "", limit, value] = FORM.exec(cell) ?? []
  const isKnown = LISTS.has(type) || LIMITED.has(type) || PLAIN.has(type)
  if (!isKnown) return { type: "equals", value: cell }
  const whole = `${not}${type}`
  if (LISTS.has(type)) return { type: whole, value: value === undefined ? undefined : splitList(value) }
  if (type === "llm-rubric") return { type: whole, value }
  if (!LIMITED.has(type)) return { type: whole, ...given("value", value?.trim()) }
  return {
    type: whole,
    ...given("value", value?.trim()),
    threshold: numberOf(limit) ?? (type === "similar" ? 0.8 : 0.75),
  }
}

/** Splits a list at commas. An item in quotation marks can contain commas, and `""` is one mark. */
export function splitList(text: string): readonly string[] {
  const items: string[] = []
  const pattern = /[\s,]*(?:"((?:[^"\\]|\\(?:["\\]|(?!["\\]))|"")*)"\s*(?=,|$)|([^,]+))/gy
  for (const [, quoted, plain] of text.matchAll(pattern)) {
    if (quoted !== undefined)
      items.push(quoted.replaceAll(/""|\\(["\\])/g, (_, mark: string | undefined) => mark ?? '"'))
    else if (plain !== undefined && plain.trim() !== "") items.push(plain.trim())
  }
  return items
}
