/** How a piece of text is meant, which a terminal shows as a colour. */
export type Tone = "good" | "bad" | "open" | "heading"

/**
 * Noncharacters stand for tones until text is written: they survive the cleaning of control characters, and text of others that
 * holds them can change a colour and nothing else.
 */
const MARKS = { good: "\uFDD0", bad: "\uFDD1", open: "\uFDD2", heading: "\uFDD3" } as const satisfies Record<
  Tone,
  string
>
const END = "\uFDD4"
const CODES: Readonly<Record<string, string>> = {
  [MARKS.good]: "\u001B[32m",
  [MARKS.bad]: "\u001B[31m",
  [MARKS.open]: "\u001B[33m",
  [MARKS.heading]: "\u001B[1m",
  [END]: "\u001B[0m",
}
const ANY_MARK = /[\uFDD0-\uFDD4]/g

/** Marks text with a tone, which `writeStyled` shows or takes away. */
export function tone(meant: Tone | undefined, text: string): string {
  return meant === undefined || text === "" ? text : `${MARKS[meant]}${text}${END}`
}

/** Turns tones into colours, or takes them away. Every line ends without a colour. */
export function paint(text: string, isColoured: boolean): string {
  if (!isColoured) return text.replaceAll(ANY_MARK, "")
  return text
    .split("\n")
    .map((line) =>
      line.search(ANY_MARK) === -1 ? line : `${line.replaceAll(ANY_MARK, (mark) => CODES[mark] ?? "")}${CODES[END]}`,
    )
    .join("\n")
}

/** The tone of a status, a verdict or an outcome. */
export function toneOf(word: string): Tone | undefined {
  switch (word) {
    case "PASS":
    case "COMPLETED":
    case "success":
      return "good"
    case "FAIL":
    case "FAILED":
    case "blocked":
      return "bad"
    case "INCONCLUSIVE":
    case "CANCELLED":
    case "UNAVAILABLE":
    case "unknown":
      return "open"
    default:
      return undefined
  }
}
