import { fieldsOf, isObject, readNumber } from "@assay/json"
import type { MetricConfig } from "@assay/schemas"
import { valueText } from "@assay/scoring"

/** A metric of a checklist with its limits. */
export type CheckConfig = MetricConfig & Readonly<Record<string, unknown>>

/** An assertion whose templates are rendered. */
export interface RenderedAssertion {
  /** Without `not-`. */
  readonly type: string
  readonly value: unknown
  readonly threshold: number | undefined
  /** The model that judges, or why there is none. */
  readonly judge: JudgeModel | string
}

export interface JudgeModel {
  readonly endpoint: object
  readonly params: object
}

/** The check that an assertion becomes. */
export type MappedAssertion =
  | {
      /** Creates the check. `operand` is the value of a row: a template, or the value itself. */
      readonly check: (operand: unknown) => CheckConfig
      /** The value that differs from row to row. Undefined: the check has none. */
      readonly operand: unknown
      /** The difference to the original. Undefined: there is none. */
      readonly difference?: string
    }
  | { readonly leftOut: string }

type MapAssertion = (assertion: RenderedAssertion) => MappedAssertion

const OUTPUT = "{{ sample.output_text }}"
const LOWERED = "{{ sample.output_text | lower }}"

function stringCheck(left: string, operator: string, right: unknown): CheckConfig {
  return { type: "string-check", params: { check: [left, operator, right] } }
}

function jsonSchema(schema: object, extract?: "any"): CheckConfig {
  return { type: "json-schema", params: { schema, ...(extract === undefined ? {} : { extract }) } }
}

const NO_VALUE = { leftOut: "it has no value" }

/** Maps an assertion about one text. */
function ofText(operator: string, { isLowered = false } = {}): MapAssertion {
  return ({ value }) => {
    const isText = (typeof value === "string" && value !== "") || typeof value === "number"
    if (!isText) return NO_VALUE
    const operand = isLowered ? String(value).toLowerCase() : String(value)
    return { operand, check: (right) => stringCheck(isLowered ? LOWERED : OUTPUT, operator, right) }
  }
}

/** Maps an assertion about a list of texts. */
function ofList(operator: string, { isLowered = false } = {}): MapAssertion {
  return ({ value }) => {
    if (!Array.isArray(value)) return NO_VALUE
    const operand = value.map((one) => (isLowered ? String(one).toLowerCase() : String(one)))
    return { operand, check: (right) => stringCheck(isLowered ? LOWERED : OUTPUT, operator, right) }
  }
}

const equals: MapAssertion = ({ value }) => {
  if (value === undefined) return NO_VALUE
  if (typeof value === "object") return { operand: undefined, check: () => jsonSchema({ const: value }) }
  return { operand: valueText(value), check: (right) => stringCheck(OUTPUT, "equals", right) }
}

const finishReason: MapAssertion = ({ value }) => {
  if (typeof value !== "string") return NO_VALUE
  const reason = "{{ (sample.finish_reason or '') | lower }}"
  return { operand: value.toLowerCase(), check: (right) => stringCheck(reason, "equals", right) }
}

/** Maps `is-json` and `contains-json`, which can have a schema. */
function ofJson(extract?: "any"): MapAssertion {
  const difference = extract === undefined ? {} : { difference: "only strict JSON counts, not YAML or cut JSON" }
  return ({ value }) => {
    const whole = extract === undefined ? {} : { type: "object" }
    const schema = value === undefined || value === null || value === "" ? whole : value
    if (!isObject(schema)) return { leftOut: "its value is not a JSON Schema" }
    return { operand: undefined, ...difference, check: () => jsonSchema(schema, extract) }
  }
}

const wordCount: MapAssertion = ({ value }) => {
  const words = "{{ sample.output_text.split() | length }}"
  const count = typeof value === "string" ? readNumber(value.trim()) : value
  const compare = (operator: string, limit: unknown): CheckConfig => ({
    type: "number-check",
    params: { check: [words, operator, String(limit)] },
  })
  if (typeof count === "number") return { operand: undefined, check: () => compare("==", count) }
  const { min, max } = fieldsOf(value)
  const limits = {
    ...(typeof min === "number" ? { "at-least": compare(">=", min) } : {}),
    ...(typeof max === "number" ? { "at-most": compare("<=", max) } : {}),
  }
  if (Object.keys(limits).length === 0) return NO_VALUE
  return { operand: undefined, check: () => ({ type: "checklist", params: { checks: limits } }) }
}

const latency: MapAssertion = ({ threshold }) =>
  threshold === undefined
    ? { leftOut: "it has no threshold" }
    : { operand: undefined, check: () => ({ type: "latency", at_most: threshold }) }

/** Maps an assertion that a model judges. `question` says what the judge decides. */
function ofJudge(question: string): MapAssertion {
  return ({ value, threshold, judge }) => {
    const operand = typeof value === "string" ? value : isObject(value) ? JSON.stringify(value) : ""
    if (operand === "") return NO_VALUE
    if (typeof judge === "string") return { leftOut: judge }
    const { endpoint, params } = judge
    const system = `${question} Reply with JSON only: {"reason": "<one sentence>", "pass": <true or false>, "score": <number from 0 to 1>}.`
    const messages = (criterion: unknown) => [
      { role: "system", content: system },
      { role: "user", content: `Criterion:\n${String(criterion)}\n\nAnswer:\n${OUTPUT}` },
    ]
    return {
      operand,
      difference: "the judge gets the prompt of Assay",
      check: (criterion) => ({
        type: "llm-judge",
        params: {
          model: { api_endpoint: endpoint },
          ...(Object.keys(params).length === 0 ? {} : { inference_params: params }),
          template: { messages: messages(criterion) },
          scores: { pass: { type: "boolean" }, score: { type: "float", minimum: 0, maximum: 1 } },
        },
        at_least: { pass: 1, ...(threshold === undefined ? {} : { score: threshold }) },
        counts: "score",
      }),
    }
  }
}

const ASSERTIONS: Readonly<Record<string, MapAssertion>> = {
  equals,
  contains: ofText("contains"),
  icontains: ofText("contains", { isLowered: true }),
  "starts-with": ofText("startswith"),
  "ends-with": ofText("endswith"),
  regex: ofText("matches"),
  "contains-any": ofList("contains any"),
  "contains-all": ofList("contains all"),
  "icontains-any": ofList("contains any", { isLowered: true }),
  "icontains-all": ofList("contains all", { isLowered: true }),
  "is-json": ofJson(),
  "contains-json": ofJson("any"),
  "word-count": wordCount,
  "finish-reason": finishReason,
  latency,
  "llm-rubric": ofJudge("You check whether an answer meets a criterion."),
  "model-graded-closedqa": ofJudge("You check whether an answer meets a criterion."),
  factuality: ofJudge(
    "You check whether an answer agrees with the facts that the criterion states, without contradicting one.",
  ),
  "model-graded-factuality": ofJudge(
    "You check whether an answer agrees with the facts that the criterion states, without contradicting one.",
  ),
}

const CODE = "it runs code of yours; use the metric 'remote' or a harness"
const WORDS = "it splits texts into words in its own way; use the metric and a gate instead"

/** Why other types are left out. */
const REASONS: Readonly<Record<string, string>> = {
  javascript: CODE,
  python: CODE,
  ruby: CODE,
  webhook: "it asks a service in a form of its own; use the metric 'remote'",
  cost: "it needs the prices of the model; use the metric 'cost'",
  bleu: `${WORDS} ('bleu')`,
  "rouge-n": `${WORDS} ('rouge')`,
  gleu: "there is no such metric; 'bleu' and 'chrf' are similar",
  meteor: "there is no such metric; 'chrf' is similar",
  levenshtein: "there is no such metric; 'ter' and 'chrf' are similar",
  similar: "it needs embeddings; write 'llm-rubric' in its place, which asks a judge",
  "is-refusal": "it looks for phrases in a list of its own; write 'llm-rubric' in its place, which asks a judge",
  "select-best": "it compares outputs of several prompts; use `assay eval compare`",
  "max-score": "it compares outputs of several prompts; use `assay eval compare`",
}

/** Maps an assertion to a check, or says why it is left out. */
export function mapAssertion(assertion: RenderedAssertion): MappedAssertion {
  const { type } = assertion
  const map = Object.hasOwn(ASSERTIONS, type) ? ASSERTIONS[type] : undefined
  if (map !== undefined) return map(assertion)
  const [family = ""] = type.split(":")
  const reason = Object.hasOwn(REASONS, type) ? REASONS[type] : REASONS[family]
  return { leftOut: reason ?? "there is no metric for it" }
}
