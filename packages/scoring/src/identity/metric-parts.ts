import { fieldsOf, isJsonObject } from "@assay/json"
import { type IdentityPart, isAssayError } from "@assay/schemas"
import { judgeParameters, judgeModel } from "../metrics/judge/open-metric-judge.ts"
import { type NamedScore, scoreDefinitions, scoreFormat } from "../metrics/judge/score-definitions.ts"
import { metricVersion } from "../metrics/metric-versions.ts"

/** The parts of what gives a score its meaning. Absent parts are those that the metric does not have, such as a model. */
export type IdentityParts = { readonly [Part in IdentityPart]?: unknown }

/** A metric of a task, whose parameters include the defaults of its task. */
export interface DescribedMetric {
  readonly type: string
  readonly params: Readonly<Record<string, unknown>>
  readonly when?: unknown
}

/** How a service is reached, how long it is waited for, and labels of people change no score of a row. */
const APART = new Set(["url", "ca", "api_key", "api_key_env", "api_key_secret", "labels"])
const WAITING = new Set(["timeout", "timeout_seconds", "max_retries"])
/** These metrics measure the cost of the target, by which two models are compared. */
const PRICED = new Set(["cost", "usage-limit"])
const PRICES = new Set(["model", "prompt_price", "completion_price"])

/** Returns the parts of the identity of a score, or of all scores of the metric. */
export function metricParts(metric: DescribedMetric, score?: string): IdentityParts {
  const { type, when } = metric
  const parts = { type, version: metricVersion(type), ...partsOfParams(metric, score) }
  return when === undefined ? parts : { ...parts, params: { ...fieldsOf(parts.params), when } }
}

function partsOfParams({ type, params }: DescribedMetric, score: string | undefined): IdentityParts {
  if (type === "checklist") return checklistParts(params)
  if (type === "llm-judge") return judgeParts(params, score) ?? { params: withoutAddress(params) }
  if (type === "pairwise" && isJsonObject(params["model"])) {
    // The judge can be beside the question, as in an llm-judge.
    const { model, inference_params, ...rest } = params
    return partsOfParams({ type, params: { ...rest, judge: { model, inference_params } } }, score)
  }
  if (isJsonObject(params["judge"])) return judgedParts(params) ?? { params: withoutAddress(params) }
  const apart = type === "remote" ? WAITING : PRICED.has(type) ? PRICES : undefined
  const measured = Object.entries(params).filter(([key]) => apart?.has(key) !== true)
  return { params: withoutAddress(Object.fromEntries(measured)) }
}

/**
 * Returns the parts of an `llm-judge`. Other scores than the named one count only by the schema of the answer, which is sent. Undefined for
 * malformed parameters.
 */
function judgeParts(params: DescribedMetric["params"], score: string | undefined): IdentityParts | undefined {
  const { model: _model, inference_params: _inference, template, scores, structured_output, ...rest } = params
  return unlessMalformed(() => {
    const definitions = scoreDefinitions(scores, "scores")
    const measured = definitions.filter(({ name }) => score === undefined || name === score)
    const format = structured_output === false ? undefined : scoreFormat(definitions)
    const { reasoning, ...asked } = askedJudge(params)
    return {
      ...asked,
      prompt: { template, format },
      parser: { parsers: measured.map(({ definition }) => definition.parser), reasoning },
      params: { ...fieldsOf(withoutAddress(rest)), scales: measured.map(scaleOf) },
    }
  })
}

function scaleOf({ name, definition: { parser: _parser, ...scale } }: NamedScore): object {
  return { name, ...scale }
}

/** Returns the parts of a metric with a built-in prompt, which its version stands for. Undefined for malformed parameters. */
function judgedParts({ judge, ...rest }: DescribedMetric["params"]): IdentityParts | undefined {
  return unlessMalformed(() => {
    const { reasoning, ...asked } = askedJudge(fieldsOf(judge))
    return { ...asked, parser: { reasoning }, params: withoutAddress(rest) }
  })
}

/** Returns the model of a judge, with the parameters that are sent: a default that is written is the same as one that is not. */
function askedJudge(params: DescribedMetric["params"]) {
  const judge = judgeModel(params, "judge")
  return { model_id: judge.endpoint.model_id, inference_params: judgeParameters(judge), reasoning: judge.reasoning }
}

/** Returns the parts of a list of checks: each part has those of the checks by their names. */
function checklistParts({ checks, ...rest }: DescribedMetric["params"]): IdentityParts {
  const found = Object.entries(fieldsOf(checks)).map(([name, value]) => {
    const { type, params, ...options } = fieldsOf(value)
    return { name, options, parts: metricParts({ type: String(type), params: fieldsOf(params) }) }
  })
  const partOfChecks = (part: IdentityPart) => {
    const entries = found.flatMap(({ name, parts }) =>
      parts[part] === undefined ? [] : [[name, parts[part]] as const],
    )
    return entries.length === 0 ? undefined : Object.fromEntries(entries)
  }
  const options = Object.fromEntries(found.map((one) => [one.name, one.options]))
  return {
    version: { list: metricVersion("checklist"), ...partOfChecks("version") },
    model_id: partOfChecks("model_id"),
    inference_params: partOfChecks("inference_params"),
    prompt: partOfChecks("prompt"),
    parser: partOfChecks("parser"),
    params: { ...rest, types: partOfChecks("type"), options, checks: partOfChecks("params") },
  }
}

function withoutAddress(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAddress)
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([key]) => !APART.has(key))
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutAddress(one)]))
}

/** Configurations of foreign results can have anything. */
function unlessMalformed<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isAssayError(error)) return undefined
    throw error
  }
}
