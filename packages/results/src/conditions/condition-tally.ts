import { removeSecrets } from "@assay/inference"
import { CONDITIONS, formatTimestamp, type Condition, type ConditionCode } from "@assay/schemas"

/** A condition as one error or one line shows it. */
export interface Finding {
  readonly code: ConditionCode
  /** The event, with names and values. */
  readonly message: string
  /** Replaces the title of the catalogue if that is about another party. */
  readonly title?: string | undefined
  /** Advice for this case, as whole sentences. It precedes the remedy of the catalogue. */
  readonly advice?: string | undefined
  /** Whether the remedy of the catalogue does not help here. */
  readonly isAdviceAll?: boolean | undefined
}

/** Counts the findings of one condition. */
export interface ConditionTally {
  readonly code: ConditionCode
  /** Counts a row if `isRow`, and otherwise an event of the job. */
  add(finding: Finding, seen: Seen): void
  count(): number
  firstSeen(): number
  /** Returns the condition. `message` makes its message from the first message and the number of rows. */
  condition(message?: (first: string, rows: number) => string): Condition
}

export interface Seen {
  readonly at: number
  /** Where it happened; precedes the line of evidence. */
  readonly location?: string
  /** The lines of evidence. Default: the message. */
  readonly lines?: readonly string[] | undefined
  readonly isRow?: boolean
  /** Whether something else counts this finding. */
  readonly isUncounted?: boolean
}

/** A condition, and when it was found first. */
export interface Found {
  readonly condition: Condition
  readonly firstSeen: number
}

export function createConditionTally(code: ConditionCode): ConditionTally {
  const evidence = createEvidence()
  let first: Finding | undefined
  let rows = 0
  let events = 0
  let firstSeen = 0
  let lastSeen = 0
  return {
    code,
    add(finding, { at, location, lines = [finding.message], isRow = false, isUncounted = false }) {
      if (first === undefined) firstSeen = at
      lastSeen = at
      // A finding with advice is more useful than the first one.
      if (first === undefined || (first.advice === undefined && finding.advice !== undefined)) first = finding
      if (!isUncounted && isRow) rows += 1
      else if (!isUncounted) events += 1
      for (const line of lines) evidence.add(line, location)
    },
    count: () => rows + events,
    firstSeen: () => firstSeen,
    condition(formatMessage = (message) => message) {
      const { title, remedy } = CONDITIONS[code]
      const { advice, isAdviceAll = false } = first ?? {}
      return {
        code,
        title: first?.title ?? title,
        message: formatMessage(first === undefined ? "" : evidenceLine(first.message, MAX_MESSAGE), rows),
        evidence: [...evidence.list()],
        remedy: [advice, isAdviceAll ? undefined : remedy].filter((part) => part !== undefined).join(" "),
        count: Math.max(1, rows + events),
        first_seen: formatTimestamp(firstSeen),
        last_seen: formatTimestamp(lastSeen),
      }
    },
  }
}

/** Maximum number of lines of evidence. */
export const MAX_EVIDENCE = 5
const MAX_CHARACTERS = 500
/** Longer than a line of evidence, since a message ends with advice. */
const MAX_MESSAGE = 1000
/** Secrets are searched before a line is cut, since the cut could leave half of one; but only in the first characters. */
const MAX_READ = 8192

/** Distinct lines that show a condition. */
interface Evidence {
  add(line: string, location?: string): void
  list(): readonly string[]
}

/** Keeps the first 5 lines that differ in more than their location, each with at most 500 characters and without secrets. */
function createEvidence(): Evidence {
  const lines = new Map<string, string>()
  return {
    add(line, location) {
      if (lines.size >= MAX_EVIDENCE) return
      const clean = evidenceLine(line, MAX_CHARACTERS)
      if (clean === "" || lines.has(clean)) return
      lines.set(clean, location === undefined ? clean : `${location}: ${clean}`)
    },
    list: () => [...lines.values()],
  }
}

/** Returns a text as one line without secrets. */
function evidenceLine(text: string, maxCharacters: number): string {
  const line = removeSecrets(text.slice(0, MAX_READ)).replace(/\s+/g, " ").trim()
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line
}
