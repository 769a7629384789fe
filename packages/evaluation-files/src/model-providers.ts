import { printable } from "@assay/schemas"

/** How the models of a provider are reached. */
export interface ModelProvider {
  /** The base address. Undefined: it differs for each user. */
  readonly url: string | undefined
  /** The variable with the key. Undefined: it needs none. */
  readonly key: string | undefined
}

/** Providers of chat completions, by the name that other tools write before a model. */
export const MODEL_PROVIDERS: Readonly<Record<string, ModelProvider>> = {
  openai: { url: "https://api.openai.com/v1", key: "OPENAI_API_KEY" },
  openrouter: { url: "https://openrouter.ai/api/v1", key: "OPENROUTER_API_KEY" },
  deepseek: { url: "https://api.deepseek.com/v1", key: "DEEPSEEK_API_KEY" },
  groq: { url: "https://api.groq.com/openai/v1", key: "GROQ_API_KEY" },
  mistral: { url: "https://api.mistral.ai/v1", key: "MISTRAL_API_KEY" },
  togetherai: { url: "https://api.together.xyz/v1", key: "TOGETHER_API_KEY" },
  ollama: { url: "http://localhost:11434/v1", key: undefined },
  localai: { url: "http://localhost:8080/v1", key: undefined },
  vllm: { url: undefined, key: undefined },
}

/** Names by which a model of OpenAI is known without its provider. */
const OPENAI_MODEL = /^(?:gpt-|chatgpt-|o\d)/

/** Maximum number of characters of a name that are shown. */
const MAX_NAME = 100

/** Returns a sentence with what to write for a text that is not `URL#NAME`: the address of the provider that it names, or what it lacks. */
export function meantModel(given: string): string {
  const text = printable(given.trim().slice(0, MAX_NAME))
  if (/^https?:\/\//.test(text)) return "Write the name of the model after the address and a '#'."
  const [, prefix = "", rest = text] = /^([a-z]+)[:/](?:chat:|completion:)?(.+)$/.exec(text) ?? []
  const named = Object.hasOwn(MODEL_PROVIDERS, prefix) ? MODEL_PROVIDERS[prefix] : undefined
  const provider = named ?? (OPENAI_MODEL.test(text) ? MODEL_PROVIDERS["openai"] : undefined)
  const name = named === undefined ? text : rest
  if (provider?.url === undefined)
    return `Write the address of the model before a '#', such as http://127.0.0.1:8000/v1#${name}.`
  return provider.key === undefined
    ? `Write ${provider.url}#${name}.`
    : `Write { url: ${provider.url}, model: ${name}, key: ${provider.key} }, or ${provider.url}#${name} without a key.`
}
