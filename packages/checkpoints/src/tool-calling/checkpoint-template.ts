import { isJsonObject, type JsonObject } from "@assay/json"
import type { TemplateDescriptions } from "../files/read-descriptions.ts"
import { TOKEN_NAMES } from "../templates/sample-conversations.ts"

export interface CheckpointTemplate {
  /** The template of conversations. */
  readonly text: string | null
  /** The template of conversations with tools, if it is another one. */
  readonly toolText: string | null
  readonly warnings: readonly string[]
}

const DEFAULT = "default"
const WITH_TOOLS = "tool_use"

/**
 * Returns the chat templates of a checkpoint. As in `transformers`, `chat_template.jinja` and the files of
 * `additional_chat_templates` come before `tokenizer_config.json`. Then follow the templates of a processor
 * (`chat_template.json`) and those of a GGUF file. Of several templates, `tool_use` is for conversations with tools and
 * `default` for the others.
 */
export function checkpointTemplate(
  descriptions: TemplateDescriptions,
  gguf: ReadonlyMap<string, string>,
): CheckpointTemplate {
  const { templateText, tokenizer, template, namedTemplates } = descriptions
  const files = new Map([...(templateText === null ? [] : [[DEFAULT, templateText] as const]), ...namedTemplates])
  const holders = [files, templatesIn(tokenizer), templatesIn(template), gguf].filter(({ size }) => size > 0)
  const named = holders.find((templates) => templates.has(DEFAULT)) ?? holders[0]
  return chosenTemplate(new Map([...(named ?? []), ...(named === undefined ? [] : files)]))
}

function chosenTemplate(named: ReadonlyMap<string, string>): CheckpointTemplate {
  const chosen = [DEFAULT, WITH_TOOLS].find((name) => named.has(name)) ?? [...named.keys()][0]
  if (chosen === undefined) return { text: null, toolText: null, warnings: [] }
  const others = [...named.keys()].filter((name) => name !== chosen && name !== WITH_TOOLS).map((name) => `'${name}'`)
  const warning = `Of several chat templates '${chosen}' is taken; left out: ${others.join(", ")}.`
  return {
    text: named.get(chosen) ?? null,
    toolText: chosen === WITH_TOOLS ? null : (named.get(WITH_TOOLS) ?? null),
    warnings: others.length === 0 ? [] : [warning],
  }
}

/** Returns the templates in the config of a tokenizer or processor, by name. */
function templatesIn(holder: JsonObject | null): ReadonlyMap<string, string> {
  const value = holder?.["chat_template"]
  return typeof value === "string" ? new Map([[DEFAULT, value]]) : namedTemplates(value)
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
