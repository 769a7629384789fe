import { AssayError, printable } from "@assay/schemas"

/** The value of a placeholder. Several words can only replace a whole word. */
export type TemplateValues = Readonly<Record<string, string | readonly string[]>>

/** A name in two pairs of braces is text, and in one pair a placeholder. */
const PLACEHOLDER = /\{(\{[a-z_]+\})\}|\{([a-z_]+)\}/g

/**
 * Splits a command line into words, as a shell does, but without any meaning of `$`, `*` or `;`: spaces separate words, quotes keep spaces, and a
 * backslash outside of single quotes keeps the next character.
 * @throws `bad_document` for a quote without its end
 */
export function splitWords(line: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ""
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? ""
    if (quote !== "'" && character === "\\" && at + 1 < line.length) word = (word ?? "") + (line[++at] ?? "")
    else if (character === quote) quote = ""
    else if (quote !== "") word = (word ?? "") + character
    else if (character === "'" || character === '"') {
      quote = character
      word ??= ""
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? "") + character
  }
  if (quote !== "")
    throw new AssayError("bad_document", `The command '${printable(line)}' has a ${quote} without its end.`)
  return word === undefined ? words : [...words, word]
}

/** Returns the names of the placeholders of a template. */
export function placeholdersOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => [...word.matchAll(PLACEHOLDER)].flatMap(([, , name]) => name ?? [])))
}

/**
 * Replaces the placeholders of a template. Each value stays within its word, whatever it contains: no shell reads it. `{{run}}` is the text
 * `{run}`, and braces around anything but a name are unchanged.
 * @throws `bad_document` for a placeholder that does not exist, and for a list of words inside a word
 */
export function fillTemplate(words: readonly string[], values: TemplateValues): readonly string[] {
  return words.flatMap((word) => {
    const [, whole] = /^\{([a-z_]+)\}$/.exec(word) ?? []
    const value = whole === undefined ? undefined : values[whole]
    if (Array.isArray(value)) return value as readonly string[]
    return word.replaceAll(PLACEHOLDER, (_, text: string | undefined, name = "") => {
      if (text !== undefined) return text
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      if (typeof value === "string") return value
      throw wrongPlaceholder(name, value, values)
    })
  })
}

function wrongPlaceholder(name: string, value: unknown, values: TemplateValues): AssayError {
  const all = Object.keys(values).map((one) => `{${one}}`)
  const message =
    value === undefined
      ? `There is no placeholder {${name}}: use ${all.join(", ")}, or write {{${name}}} for the braces themselves.`
      : `{${name}} is several words, so it has to be a word of its own.`
  return new AssayError("bad_document", message)
}
