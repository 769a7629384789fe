import { type ValidationIssue, boundText, cutMiddle } from "@assay/schemas"

/** How much of a request its error response repeats. Longer values are cut. */
export const ECHO_LIMITS = {
  /** Characters of a key in a location, and of one input value. */
  value: 200,
  /** Characters of all input values together. */
  values: 600,
  /** Keys of a location. */
  keys: 20,
  issues: 50,
  /** Characters of all issues together. */
  all: 5000,
} as const

const CUT = "…"

/** Returns a copy of the context of an error with every text cut to its limit. */
export function boundTexts(value: unknown): unknown {
  if (typeof value === "string") return boundText(value)
  if (Array.isArray(value)) return value.slice(0, ECHO_LIMITS.issues).map(boundTexts)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, boundTexts(inner)]))
}

/** Returns the beginning of a value as JSON, and whether that is the whole value. Reads no more of the value than it writes. */
function beginningOf(value: unknown, limit: number): { readonly text: string; readonly isWhole: boolean } {
  let text = ""
  const isFull = () => text.length > limit
  const write = (inner: unknown): void => {
    if (isFull()) return
    if (typeof inner === "string") text += JSON.stringify(inner.slice(0, limit + 1))
    else if (Array.isArray(inner)) writeItems("[", "]", inner.length, (index) => write(inner[index]))
    else if (typeof inner === "object" && inner !== null) {
      const keys = Object.keys(inner)
      writeItems("{", "}", keys.length, (index) => {
        const key = keys[index] ?? ""
        text += `${JSON.stringify(key.slice(0, limit + 1))}:`
        write((inner as Record<string, unknown>)[key])
      })
    } else text += String(inner)
  }
  const writeItems = (open: string, close: string, count: number, writeItem: (index: number) => void) => {
    text += open
    for (let index = 0; index < count && !isFull(); index++) {
      if (index > 0) text += ","
      writeItem(index)
    }
    text += close
  }
  write(value)
  return { text: text.slice(0, limit).toWellFormed(), isWhole: !isFull() }
}

/** Returns an input value unchanged if it is short, else the beginning of its text. */
function boundValue(value: unknown, limit: number): { readonly shown: unknown; readonly size: number } {
  if (typeof value === "string" && value.length > limit) return { shown: cutMiddle(value, limit), size: limit }
  const { text, isWhole } = beginningOf(value, limit)
  return { shown: isWhole ? value : `${text}${CUT}`, size: text.length }
}

function boundLocation(loc: ValidationIssue["loc"]): ValidationIssue["loc"] {
  const half = ECHO_LIMITS.keys / 2
  const kept = loc.length > ECHO_LIMITS.keys ? [...loc.slice(0, half), CUT, ...loc.slice(-half)] : loc
  return kept.map((key) => (typeof key === "string" ? cutMiddle(key, ECHO_LIMITS.value) : key))
}

function boundContext(ctx: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const limitOf = (value: unknown) => (typeof value === "string" ? ECHO_LIMITS.value : ECHO_LIMITS.values)
  return Object.fromEntries(Object.entries(ctx).map(([key, value]) => [key, boundValue(value, limitOf(value)).shown]))
}

/** Cuts the issues of a request to the limits of a response. The last issue says how many are left out. */
export function boundIssues(issues: readonly ValidationIssue[]): ValidationIssue[] {
  const shown: ValidationIssue[] = []
  let echoed = 0
  let size = 0
  for (const { loc, msg, input, ctx, ...rest } of issues) {
    if (shown.length === ECHO_LIMITS.issues || size > ECHO_LIMITS.all) break
    const issue: ValidationIssue = { ...rest, loc: boundLocation(loc), msg: boundText(msg) }
    if (input !== undefined && echoed < ECHO_LIMITS.values) {
      const bound = boundValue(input, Math.min(ECHO_LIMITS.value, ECHO_LIMITS.values - echoed))
      issue.input = bound.shown
      echoed += bound.size
    }
    if (ctx !== undefined) issue.ctx = boundContext(ctx)
    shown.push(issue)
    size += JSON.stringify(issue).length
  }
  const left = issues.length - shown.length
  if (left > 0) {
    const [root = "body"] = issues[0]?.loc ?? []
    shown.push({ loc: [root], msg: `${left} more errors are not shown`, type: "too_many_issues" })
  }
  return shown
}
