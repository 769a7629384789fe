import type { FilterFieldRule } from "@assay/schemas"

/** A way to continue a filter. */
export interface Completion {
  /** The added text, as the button shows it. */
  readonly label: string
  /** The whole filter after it was taken. */
  readonly text: string
}

const OPERATORS: Readonly<Record<FilterFieldRule["kind"], readonly string[]>> = {
  text: [":", "~"],
  enum: [":"],
  date: [":", ">", "<"],
  json: ["."],
}
const MAX_OFFERED = 8

/** Returns how a text filter can continue at its end: fields, then operators, then values, then the words between two terms. */
export function completionsOf(text: string, fields: Readonly<Record<string, FilterFieldRule>>): readonly Completion[] {
  const offer = (kept: string, added: readonly string[]) =>
    added.slice(0, MAX_OFFERED).map((label) => ({ label, text: kept + label }))
  const [, value, before = ""] = /^(.*?)(\w+)\s*[:~<>]=?\s*"?[^"\s]*$/su.exec(text)?.slice(0) ?? []
  const rule = Object.hasOwn(fields, before) ? fields[before] : undefined
  if (rule !== undefined && value !== undefined) {
    const kept = /^.*[:~<>]=?\s*/su.exec(text)?.[0] ?? text
    const begun = text.slice(kept.length).replace(/^"/u, "")
    const words = rule.values?.filter((word) => word.startsWith(begun)) ?? []
    return offer(
      kept,
      words.map((word) => `"${word}"`),
    )
  }
  if (/["\d)]\s+$/su.test(text)) return offer(text, ["AND ", "OR "])
  const [, kept = "", word = ""] = /^(.*?[\s(-]|)(\w*)$/su.exec(text) ?? []
  if (Object.hasOwn(fields, word)) return offer(text, OPERATORS[fields[word]?.kind ?? "text"])
  return offer(
    kept,
    Object.keys(fields).filter((name) => word !== "" && name.startsWith(word)),
  )
}
