import { isJsonObject, type JsonObject } from "../../schemas/json-schema.ts"
import type { Descriptions } from "../files/read-descriptions.ts"
import { TOKEN_NAMES } from "../templates/sample-conversations.ts"

export interface CheckpointTemplate {
  readonly text: string | null
  readonly warnings: readonly string[]
}

/** Names of the preferred templates if there are several, in this order. */
const PREFERRED_NAMES = ["default", "tool_use"]

/**
 * Returns the chat template of a checkpoint. As in `transformers`, `chat_template.jinja` comes before
 * `tokenizer_config.json`. Then follow the template of a processor (`chat_template.json`) and that of a GGUF file.
 */
export function checkpointTemplate(descriptions: Descriptions, gguf: string | null): CheckpointTemplate {
  const { templateText, tokenizer, template } = descriptions
  if (templateText !== null) return { text: templateText, warnings: [] }
  for (const holder of [tokenizer, template]) {
    const found = templateIn(holder)
    if (found !== null) return found
  }
  return { text: gguf, warnings: [] }
}

function templateIn(holder: JsonObject | null): CheckpointTemplate | null {
  const value = holder?.["chat_template"]
  if (typeof value === "string") return { text: value, warnings: [] }
  const named = namedTemplates(value)
  const chosen = PREFERRED_NAMES.find((name) => named.has(name)) ?? [...named.keys()][0]
  if (chosen === undefined) return null
  const others = [...named.keys()].filter((name) => name !== chosen).map((name) => `'${name}'`)
  const warning = `Of several chat templates '${chosen}' is taken; left out: ${others.join(", ")}.`
  return { text: named.get(chosen) ?? null, warnings: others.length === 0 ? [] : [warning] }
}

/** Reads a list of `{name, template}`, or an object with templates by name. */
function namedTemplates(value: unknown): ReadonlyMap<string, string> {
  const entries = Array.isArray(value)
    ? value.filter(isJsonObject).map(({ name, template }) => [name, template])
    : Object.entries(isJsonObject(value) ? value : {})
  return new Map(entries.filter((entry): entry is [string, string] => entry.every((one) => typeof one === "string")))
}

/** Returns the special tokens of a tokenizer's config by name. Each is a text or an object with a `content`. */
export function tokenizerTokens(tokenizer: JsonObject | null): Readonly<Record<string, string>> {
  const tokens = TOKEN_NAMES.map((name) => {
    const token = tokenizer?.[name]
    return [name, isJsonObject(token) ? token["content"] : token] as const
  })
  return Object.fromEntries(
    tokens.filter((entry): entry is [(typeof TOKEN_NAMES)[number], string] => typeof entry[1] === "string"),
  )
}
