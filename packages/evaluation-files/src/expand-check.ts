import type { LocatedDocument } from "@assay/validation"
import { fieldsOf, isJsonObject } from "@assay/json"
import { type MetricConfig, EMBEDDINGS_FORMAT } from "@assay/schemas"
import { faultAt, namesHint, pointerTo } from "./document-faults.ts"
import { SHORT_CHECKS, type ShortCheck } from "./short/short-checks.ts"
import type { ShortCheckEntry, ShortJudge, ShortPrompt } from "./short/short-evaluation.ts"
import { expandJudge, expandPairwise } from "./short/short-judge.ts"
import { parseUsageLimit } from "./short/short-limit.ts"
import { type ExpandedModel, expandModel } from "./short/short-model.ts"
import type { ShortModel } from "./short/short-model-schema.ts"
import type { ShortPairwise } from "./short/short-pairwise.ts"

/** A check as a metric of the long form. */
export interface ExpandedCheck {
  /** The name that is asked for. Two checks with the same name get a number. */
  readonly name: string
  readonly metric: MetricConfig
  /** Where the parameters of the metric are written. */
  readonly pointer: string
  /** The template of a task that has no other checks. */
  readonly task?: object
}

export interface CheckContext {
  readonly document: LocatedDocument
  /** The pointer of the check. */
  readonly pointer: string
  readonly prompt: ShortPrompt | undefined
  /** The model that is asked. Undefined: none. */
  readonly model: ExpandedModel | undefined
  /** Whether the answer is that of a conversation, which a judge then gets instead of the prompt. Default false. */
  readonly isConversation?: boolean
}

const OUTPUT = "{{ sample.output_text }}"

/** Expands a check: a limit or a name as text, or an object with one short name. @throws `bad_document` */
export function expandCheck(check: ShortCheckEntry, context: CheckContext): ExpandedCheck {
  if (typeof check === "string") return expandWord(check, context)
  const { document, pointer } = context
  const { name, as: given = name, labels, ...rest } = check
  if (name !== undefined && name !== given) {
    throw faultAt(document, pointerTo(pointer, "as"), "says the same as 'name', with another value; leave one out.")
  }
  const [found, second] = Object.keys(rest)
  if (found === undefined) throw faultAt(document, pointer, `has no check; write one of ${knownNames().join(", ")}.`)
  if (second !== undefined) {
    const why = `'${second}' is a second check in one entry, beside '${found}'; begin a new line with '- ${second}:'.`
    throw faultAt(document, pointerTo(pointer, second), why)
  }
  const short = SHORT_CHECKS[found] as ShortCheck
  const at = pointerTo(pointer, found)
  const value: unknown = (rest as Readonly<Record<string, unknown>>)[found]
  const params = withPrices(short, paramsOf(short, value, { ...context, pointer: at }), context)
  const metric = {
    type: short.type,
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(labels === undefined ? {} : { labels }),
  }
  const task = short.kind.of === "task" ? { task: params } : {}
  return { name: given ?? found, metric, pointer: at, ...task }
}

/** Expands a check that is a text: a limit, or the name of a check that needs nothing else. */
function expandWord(text: string, context: CheckContext): ExpandedCheck {
  const { document, pointer } = context
  const limit = parseUsageLimit(text)
  if (typeof limit === "string") throw faultAt(document, pointer, `'${text}' ${limit}.`)
  if (limit !== undefined) {
    const { name, params } = limit
    return {
      name,
      metric: { type: "usage-limit", params: name === "cost" ? pricesOf(params, context) : params },
      pointer,
    }
  }
  const short = Object.hasOwn(SHORT_CHECKS, text) ? SHORT_CHECKS[text] : undefined
  if (short === undefined) {
    throw faultAt(document, pointer, `there is no check '${text}'; ${namesHint(text, knownNames(), "the checks are")}`)
  }
  const isWhole = short.kind.of === "amount" || short.kind.of === "task" || text === "tool_call_accuracy"
  if (!isWhole) throw faultAt(document, pointer, `the check '${text}' needs a value, such as \`${short.example}\`.`)
  const params = withPrices(short, {}, context)
  const metric = { type: short.type, ...(Object.keys(params).length === 0 ? {} : { params }) }
  return { name: text, metric, pointer, ...(short.kind.of === "task" ? { task: {} } : {}) }
}

function knownNames(): readonly string[] {
  return Object.keys(SHORT_CHECKS)
}

function paramsOf({ kind }: ShortCheck, value: unknown, context: CheckContext): Record<string, unknown> {
  switch (kind.of) {
    case "expected":
    case "task":
      return isJsonObject(value) ? { ...value } : { [kind.param]: value }
    case "text":
      return { check: [OUTPUT, kind.operator, String(value)] }
    case "number":
      return numberParams(value)
    case "schema":
      return "schema" in fieldsOf(value) ? { ...fieldsOf(value) } : { schema: value }
    case "judge":
      return expandJudge(value as ShortJudge, context)
    case "pairwise":
      return expandPairwise(value as ShortPairwise, context)
    case "amount":
    case "params":
      break
  }
  return withModels({ ...fieldsOf(value) }, context)
}

function numberParams(value: unknown): Record<string, unknown> {
  const { equals, within } = fieldsOf(value)
  if (within === undefined) return { check: [OUTPUT, "==", String(value)] }
  return { check: ["absolute difference", OUTPUT, String(equals), "epsilon", within] }
}

/** Expands the models of a judge and of embeddings that are written in one word. */
function withModels(params: Record<string, unknown>, { document, pointer }: CheckContext): Record<string, unknown> {
  const expanded = { ...params }
  for (const name of ["judge", "embeddings"]) {
    const model = fieldsOf(params[name])["model"]
    if (typeof model !== "string") continue
    const at = pointerTo(pointerTo(pointer, name), "model")
    if (!/^[^#\s]+#\S/.test(model)) throw faultAt(document, at, `'${model}' is not a model; write URL#NAME.`)
    const { model: own } = expandModel(document, model satisfies ShortModel, at)
    const format = name === "embeddings" ? { format: EMBEDDINGS_FORMAT } : {}
    expanded[name] = {
      ...fieldsOf(params[name]),
      model: { ...own, api_endpoint: { ...own.api_endpoint, ...format } },
    }
  }
  return expanded
}

/** Adds the prices of the model to a cost without prices of its own. */
function withPrices({ type }: ShortCheck, params: Record<string, unknown>, context: CheckContext) {
  const isCost = type === "cost" || (type === "usage-limit" && params["measure"] === "cost")
  return isCost ? pricesOf(params, context) : params
}

function pricesOf(params: Readonly<Record<string, unknown>>, { model }: CheckContext): Record<string, unknown> {
  if (model === undefined || "prompt_price" in params || "completion_price" in params) return { ...params }
  const { prices, model: asked } = model
  // Without prices in the file, those of the price table are looked up by the name of the model.
  return prices !== undefined ? { ...params, ...prices } : { ...params, model: asked.api_endpoint.model_id }
}
