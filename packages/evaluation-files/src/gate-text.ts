import { NUMBER_RANGES } from "@assay/json"
import { printable } from "@assay/schemas"

/** A gate that is written as a text. */
export interface GateText {
  /** `task.metric.score`, or a shorter name of a score. */
  readonly name: string
  readonly op: ">=" | "<="
  readonly value: number
  /** Whether the mean that labels of people correct is compared. */
  readonly isCorrected: boolean
  /** Whether the value of the rows of the job is compared, without an interval. */
  readonly isOnTheseRows: boolean
}

/** The end of the name of a score whose corrected mean is compared. */
const CORRECTED = " corrected by people"
/** The end of a gate that compares the rows of the job alone. */
const ON_THESE_ROWS = " on these rows"

/** Longer texts are not matched, because the time would grow with the square of their length. */
const MAX_LENGTH = 1000
const SHAPE =
  /^\s*(.*?[^\s<>=])\s*(>=|<=|>|<|==?)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(%?)( on these rows)?\s*$/i

/**
 * Parses a gate such as `task.metric.score>=0.8`, `task.metric<=0.1`, `task.metric.score corrected by people>=0.8` or `task.metric >= 0.8 on these rows`.
 * @param example a gate that is right
 * @returns the gate, or a sentence about what is wrong and what to write
 */
export function parseGateText(text: string, example: string): GateText | string {
  const [, name, op, digits = "", percent = "", end = ""] = SHAPE.exec(text.slice(0, MAX_LENGTH)) ?? []
  if (name === undefined || op === undefined) {
    return `'${printable(text)}' is not a gate: write ${example}, or <= if lower is better. With \`on these rows\` after it, the value of these rows is compared, without an interval.`
  }
  const fixed = op.startsWith("=") || op === ">" ? ">=" : op === "<" ? "<=" : op
  const number = percent === "" ? digits : String(Number((Number(digits) / 100).toPrecision(12)))
  const meant = printable(`${name} ${fixed} ${number}${end}`)
  if (op !== ">=" && op !== "<=") {
    const other = op.startsWith("=") ? `, or ${printable(`${name} <= ${number}${end}`)} if lower is better` : ""
    return `'${printable(text)}' compares with '${op}', and a gate has >= or <=, because a value at the limit keeps it: write ${meant}${other}.`
  }
  if (percent !== "") return `'${printable(text)}' has a limit in percent: write the number, such as ${meant}.`
  const value = Number(digits)
  const { minimum, maximum } = NUMBER_RANGES.score
  if (!(value >= minimum && value <= maximum)) {
    return `The limit ${printable(digits)} of the gate '${printable(name)}' is not a number from ${minimum} to ${maximum}.`
  }
  const isCorrected = name.endsWith(CORRECTED)
  const isOnTheseRows = end !== ""
  if (isCorrected && isOnTheseRows) {
    return `'${printable(text)}' is on a mean that people correct, which is an estimate with an interval: leave out 'on these rows'.`
  }
  const own = isCorrected ? name.slice(0, -CORRECTED.length).trimEnd() : name
  return { name: own, op, value, isCorrected, isOnTheseRows }
}

/** Formats the limit of a gate: `>= 0.8`, or `>= 0.8 on these rows`. */
function formatGateLimit({ op, value, isOnTheseRows }: Pick<GateText, "op" | "value" | "isOnTheseRows">): string {
  return `${op} ${value}${isOnTheseRows ? ON_THESE_ROWS : ""}`
}

/** Reads the number in the limit of a gate, such as `>= 0.8 on these rows`. */
function numberOfLimit(limit: string): number {
  return Number.parseFloat(limit.slice(2))
}

/** Gates and their limits as texts. */
export const gateTexts = Object.freeze({
  parse: parseGateText,
  formatLimit: formatGateLimit,
  numberOfLimit,
  corrected: CORRECTED,
})
