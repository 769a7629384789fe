import { timeoutOf } from "../../models/run-params.ts"
import { parseJsonPath, readJsonPath, type JsonPath } from "@assay/metrics"
import { hasUrlUser, invalidRequest, maskUrlUser, type ApiEndpoint } from "@assay/schemas"
import { NUMBER_RANGES, readNumber, fieldsOf } from "@assay/json"
import type { StepBudget } from "@assay/templates"
import { type Structure, compileStructure, fieldsOfTemplates, readsOutput } from "../../templates/row-template.ts"
import type { MetricOutcome, ScoreInput } from "../bound-metric.ts"
import type { DefineMetric, MetricSetup } from "../metric-definition.ts"
import { openRemote } from "./open-remote.ts"

/**
 * `remote`: posts each row as JSON to `url` and reads each of `scores` (`{name: "$.path"}`) from the answer. The body is
 * `{item, sample}`, or `body`, whose texts are templates. `timeout` (seconds) and `max_retries` default to those of the task.
 * `api_key_secret` is sent as a bearer token. A score that is missing or not a number is NaN.
 */
export const remoteMetric: DefineMetric = (setup) => {
  const { key, type, params, name, run } = setup
  const url = remoteUrl(setup)
  const paths = scorePaths(setup)
  const scores = paths.map(([score]) => score)
  const body = params["body"] === undefined ? undefined : compileStructure(params["body"], `${name}.body`)
  const seconds = params["timeout"] ?? params["timeout_seconds"]
  const options = {
    url,
    endpoint: { ...params, url: url.href, model_id: key } as ApiEndpoint,
    timeoutMs: typeof seconds === "number" ? timeoutOf(seconds) : run.timeoutMs,
    maxRateLimitWaitMs: run.maxRateLimitWaitMs,
    maxRetries: retriesOf(setup) ?? run.maxRetries,
  }
  return {
    key,
    type,
    scores,
    fields: fieldsOfTemplates(body?.templates ?? []),
    readsOutput: readsOutput(body?.templates ?? []),
    endpoints: [],
    renderRequests: (input, steps) => [{ to: url.origin + url.pathname, body: bodyOf(body, input, steps) }],
    async bind(context) {
      const post = await openRemote(options, context)
      return {
        key,
        type,
        scores,
        isRemote: true,
        score: async (input, options) => readAnswer(paths, await post(bodyOf(body, input), options)),
      }
    },
  }
}

const MAX_RETRIES = 100

/** Returns the metric's own number of retries; undefined if that of the task applies. */
function retriesOf({ params, name }: MetricSetup): number | undefined {
  const { max_retries: retries = null } = params
  if (retries === null) return undefined
  if (typeof retries === "number" && Number.isInteger(retries) && retries >= 0 && retries <= MAX_RETRIES) return retries
  const rule = `is ${JSON.stringify(retries)}; give a whole number from 0 to ${MAX_RETRIES}.`
  throw invalidRequest([...name.split("."), "max_retries"], rule, "max_retries", retries)
}

function bodyOf(body: Structure | undefined, input: ScoreInput, steps?: StepBudget): unknown {
  return body === undefined ? input : body.render(input, steps)
}

function readAnswer(paths: readonly (readonly [string, JsonPath])[], answer: unknown): MetricOutcome {
  return { scores: Object.fromEntries(paths.map(([score, path]) => [score, readScore(readJsonPath(answer, path))])) }
}

/** Reads the score in an answer. A text that is not a decimal number, and a number beyond the range of scores, is unreadable. */
function readScore(value: unknown): number | "NaN" {
  const number =
    typeof value === "string" ? readNumber(value.trim()) : typeof value === "object" ? undefined : Number(value)
  const { minimum, maximum } = NUMBER_RANGES.score
  return number !== undefined && number >= minimum && number <= maximum ? number : "NaN"
}

function remoteUrl({ params, name }: MetricSetup): URL {
  const { url } = params
  if (typeof url === "string" && hasUrlUser(url)) {
    const rule = `is ${JSON.stringify(maskUrlUser(url))}; leave user and password out, and name a key as api_key_secret.`
    throw invalidRequest([...name.split("."), "url"], rule, "url_user")
  }
  if (typeof url === "string" && /^https?:\/\//.test(url) && URL.canParse(url)) return new URL(url)
  throw invalidRequest([...name.split("."), "url"], `is ${JSON.stringify(url)}; give an http or https URL.`, "url", url)
}

/** Reads `scores`: paths by name, or a list of `{name, json_path}` or `{name, parser: {json_path}}`. */
function scorePaths({ params, name }: MetricSetup): readonly (readonly [string, JsonPath])[] {
  const { scores } = params
  const entries = Array.isArray(scores)
    ? scores.map(
        (one) =>
          [
            fieldsOf(one)["name"],
            fieldsOf(one)["json_path"] ?? fieldsOf(fieldsOf(one)["parser"])["json_path"],
          ] as const,
      )
    : Object.entries(fieldsOf(scores)).map(
        ([key, one]) => [key, typeof one === "string" ? one : fieldsOf(one)["json_path"]] as const,
      )
  const read = entries.map(([key, path]) =>
    typeof key === "string" && typeof path === "string" ? ([key, parseJsonPath(path)] as const) : undefined,
  )
  const whole = read.filter((one) => one !== undefined)
  if (whole.length > 0 && whole.length === read.length) return whole
  throw invalidRequest(
    [...name.split("."), "scores"],
    'needs a JSONPath for each score; write {"quality": "$.scores.quality"}.',
    "missing",
    scores,
  )
}
