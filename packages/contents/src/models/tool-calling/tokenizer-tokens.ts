import { isJsonObject, type JsonObject } from "../files/read-json-file.ts"
import { TOKEN_NAMES } from "../templates/template-globals.ts"

/** The special tokens of a tokenizer's config by name, each a text or an object with its `content`. */
export function tokenizerTokens(tokenizer: JsonObject | null): Readonly<Record<string, string>> {
  const tokens = TOKEN_NAMES.map((name) => {
    const token = tokenizer?.[name]
    return [name, isJsonObject(token) ? token["content"] : token] as const
  })
  return Object.fromEntries(
    tokens.filter((entry): entry is [(typeof TOKEN_NAMES)[number], string] => typeof entry[1] === "string"),
  )
}
