import { MODEL_PROVIDERS } from "@assay/evaluation-files"
import { fieldsOf, isObject } from "@assay/json"
import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import type { ImportNotes } from "../output/import-notes.ts"
import { isTemplate } from "./nunjucks.ts"
import { itemsOf, plainValue, type SourceValue, textOf } from "./source-value.ts"

/** The endpoint of a model. */
export type ImportedEndpoint = NonNullable<EvaluationTargetBody["model"]>["api_endpoint"]

/** A model that a configuration asks. */
export interface ImportedModel {
  readonly name: string
  readonly endpoint: ImportedEndpoint
  readonly params: NonNullable<EvaluationConfigBody["params"]>
}

const PARAMS = ["temperature", "top_p", "max_tokens", "seed", "stop"]
const EXTRA = [
  "frequency_penalty",
  "presence_penalty",
  "max_completion_tokens",
  "reasoning_effort",
  "response_format",
  "tools",
  "tool_choice",
  "top_k",
  "repetition_penalty",
  "user",
]
/** Settings that say where the model is, which are read by their names. */
const ADDRESS = [
  "apiBaseUrl",
  "apiHost",
  "apiKey",
  "apiKeyEnvar",
  "apiKeyRequired",
  "passthrough",
  "url",
  "method",
  "headers",
  "body",
]

/** Reads the providers of a configuration. Those without chat completions are left out by name. */
export function readProviders(providers: SourceValue, notes: ImportNotes): readonly ImportedModel[] {
  return itemsOf(providers).flatMap((item) => {
    const read = readProvider(item, notes)
    if (typeof read !== "string") return [read]
    notes.add({ location: item.location, part: `provider ${nameOf(item)}`, outcome: "left out", detail: read })
    return []
  })
}

function nameOf(item: SourceValue): string {
  const { id } = fieldsOf(item.value)
  const [key] = isObject(item.value) ? Object.keys(item.value) : []
  return (textOf(item) ?? (typeof id === "string" ? id : (key ?? "without id"))).slice(0, 80)
}

/** Reads a provider: its model, or why it can't be asked. */
export function readProvider(item: SourceValue, notes: ImportNotes): ImportedModel | string {
  const [only, ...others] = isObject(item.value) ? Object.keys(item.value) : []
  // `- openai:gpt: {config: …}` is an object whose only key is the id.
  const isKeyed = only !== undefined && others.length === 0 && only.includes(":")
  const options = isKeyed ? item.at(only) : item
  const id = isKeyed ? only : (textOf(item) ?? textOf(item.at("id")) ?? "")
  if ("transform" in fieldsOf(options.value)) return "'transform' runs code on each answer, which is not imported"
  const config = options.at("config")
  const settings = fieldsOf(config.value)
  const label = fieldsOf(options.value)["label"]
  if (Object.values(settings).some((value) => typeof value === "string" && value.includes("{{"))) {
    if (!/^https?:/.test(id) && id !== "http" && id !== "https")
      return "its settings are templates; give --model URL#name"
  }
  const found = /^https?(?::|$)/.test(id) ? httpProvider(id, settings) : familyProvider(id, settings)
  if (typeof found === "string") return found
  if (hasUser(found.url)) return "its address contains a user name or a password; write the key into a variable"
  const name = typeof label === "string" ? label : found.model_id
  const isOpenai = id.startsWith("openai:") && !REASONING.test(found.model_id) && settings["omitDefaults"] !== true
  const params = { ...(isOpenai ? OPENAI_DEFAULTS : {}), ...paramsOf(config, notes) }
  return { name, endpoint: withKey(found, id, config, notes), params }
}

/** The parameters that promptfoo sends to models of the family `openai` by default. */
const OPENAI_DEFAULTS = { temperature: 0, max_tokens: 1024 }
/** Models that refuse these. */
const REASONING = /^(?:o\d|gpt-5)/

function hasUser(url: string): boolean {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: "", password: "" }
  return username !== "" || password !== ""
}

function familyProvider(id: string, settings: Readonly<Record<string, unknown>>): ImportedEndpoint | string {
  const [prefix = "", ...rest] = id.split(":")
  const family = Object.hasOwn(MODEL_PROVIDERS, prefix) ? MODEL_PROVIDERS[prefix] : undefined
  if (family === undefined) return "it is not asked for chat completions; give --model URL#name"
  const [kind] = rest
  if (
    kind === "embedding" ||
    kind === "embeddings" ||
    kind === "image" ||
    kind === "responses" ||
    kind === "realtime" ||
    kind === "assistant"
  ) {
    return `it is asked for ${kind}, not for chat completions`
  }
  const isText = kind === "completion"
  const model = (isText || kind === "chat" ? rest.slice(1) : rest).join(":")
  if (model === "") return "it names no model"
  const { apiBaseUrl: base, apiHost: host } = settings
  const url = typeof base === "string" ? base : typeof host === "string" ? `https://${host}/v1` : family.url
  if (url === undefined) return "it names no address; give --model URL#name"
  return { url, model_id: model, ...(isText ? { format: "completions" } : {}) }
}

/** Reads a provider over HTTP whose body is a chat completion. */
function httpProvider(id: string, settings: Readonly<Record<string, unknown>>): ImportedEndpoint | string {
  const { url: given, body, transformResponse, responseParser, method = "POST" } = settings
  const url = typeof given === "string" ? given : id
  const { model, messages } = fieldsOf(body)
  const isChat = /\/chat\/completions\/?$/.test(url) && typeof model === "string" && messages !== undefined
  if (!isChat || method !== "POST") return "its requests are not chat completions; give --model URL#name"
  if (isTemplate(url) || isTemplate(model)) return "its address or model is a template; give --model URL#name"
  const parser = transformResponse ?? responseParser
  const isUsual = typeof parser === "string" && /^json\.choices\[0\]\.message\.content;?$/.test(parser.trim())
  return isUsual || parser === undefined
    ? { url, model_id: model }
    : "'transformResponse' runs code on each answer, which is not imported"
}

function withKey(endpoint: ImportedEndpoint, id: string, config: SourceValue, notes: ImportNotes): ImportedEndpoint {
  const { apiKey, apiKeyEnvar, headers } = fieldsOf(config.value)
  const family = MODEL_PROVIDERS[id.split(":")[0] ?? ""]
  const variable = typeof apiKeyEnvar === "string" ? apiKeyEnvar : family?.key
  if (apiKey !== undefined || "authorization" in lowered(headers)) {
    const detail = `a key is never copied; it is read from ${variable ?? "OPENAI_API_KEY"}`
    notes.add({ location: config.location, part: "key", outcome: "changed", detail })
    return { ...endpoint, api_key_env: variable ?? "OPENAI_API_KEY" }
  }
  return variable === undefined ? endpoint : { ...endpoint, api_key_env: variable }
}

function lowered(value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).map(([key, one]) => [key.toLowerCase(), one]))
}

function paramsOf(config: SourceValue, notes: ImportNotes): ImportedModel["params"] {
  const settings = fieldsOf(plainValue(config))
  const body = fieldsOf(settings["body"])
  const given = { ...body, ...settings, ...fieldsOf(settings["passthrough"]) }
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]))
  const isFile = (value: unknown) => typeof value === "string" && value.startsWith("file://")
  const extra = { ...pick(EXTRA), ...fieldsOf(settings["passthrough"]) }
  const kept = Object.entries(extra).filter(([name, value]) => !PARAMS.includes(name) && !isFile(value))
  const known = new Set([...PARAMS, ...EXTRA, ...ADDRESS, "transformResponse", "responseParser", "omitDefaults"])
  for (const name of Object.keys(settings)) {
    if (known.has(name) && !isFile(settings[name])) continue
    const detail = isFile(settings[name]) ? "it names a file" : "it is not a parameter of a request here"
    notes.add({ location: config.at(name).location, part: `config.${name}`.slice(0, 60), outcome: "left out", detail })
  }
  return { ...pick(PARAMS), ...(kept.length === 0 ? {} : { extra: Object.fromEntries(kept) }) }
}
