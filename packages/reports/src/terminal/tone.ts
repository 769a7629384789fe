/** The meaning of a piece of text. A terminal shows it as a colour. */
export type Tone = "good" | "bad" | "open" | "heading"

/**
 * Noncharacters mark tones until the text is written. They survive the escaping of control characters, and text from
 * outside that contains them can change a colour and nothing else.
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

/** Marks text with a tone, which `paint` shows or removes. */
export function tone(meant: Tone | undefined, text: string): string {
  return meant === undefined || text === "" ? text : `${MARKS[meant]}${text}${END}`
}

/** Turns tones into colours, or removes them. Each line ends without a colour. */
export function paint(text: string, isColoured: boolean): string {
  if (!isColoured) return text.replaceAll(ANY_MARK, "")
  return text
    .split("\n")
    .map((line) =>
      line.search(ANY_MARK) === -1 ? line : `${line.replaceAll(ANY_MARK, (mark) => CODES[mark] ?? "")}${CODES[END]}`,
    )
    .join("\n")
}

/** Returns the tone of a status, a verdict or an outcome; undefined for any other word. */
export function toneOf(word: string): Tone | undefined {
  switch (word) {
    case "PASS":
    case "success":
      return "good"
    case "FAIL":
    case "FAILED":
    case "blocked":
      return "bad"
    case "INCONCLUSIVE":
    case "NO VERDICT":
    case "CANCELLED":
    case "UNAVAILABLE":
    case "unknown":
      return "open"
    default:
      return undefined
  }
}
