import { removeSecrets } from "@assay/inference"
import { comparePositions, type RowPosition, type Finding } from "./condition-findings.ts"
import { CONDITIONS, formatTimestamp, type Condition, type ConditionCode } from "@assay/schemas"

/** Counts the findings of one condition. The order in which they are added does not matter, except for those without a position. */
export interface ConditionTally {
  readonly code: ConditionCode
  /** Counts a row if `isRow`, and otherwise an event of the job. */
  add(finding: Finding, seen: Seen): void
  count(): number
  /** Returns where it was found first: in the first row that has it, or at a time if it is about the whole job. */
  found(): Omit<Found, "condition">
  /** Returns the condition. `message` makes its message from the first message and the number of rows. */
  condition(message?: (first: string, rows: number) => string): Condition
}

export interface Seen {
  readonly at: number
  /** Undefined: it is about the whole job. */
  readonly position?: RowPosition | undefined
  /** How many events it is. Default 1. */
  readonly times?: number | undefined
  /** Where it happened; precedes the line of evidence. */
  readonly location?: string | undefined
  /** The lines of evidence. Default: the message. */
  readonly lines?: readonly string[] | undefined
  readonly isRow?: boolean
  /** Whether something else counts this finding. */
  readonly isUncounted?: boolean
}

/** A condition, and the first row in which it was found. */
export interface Found {
  readonly condition: Condition
  readonly position: RowPosition | undefined
  /** Milliseconds since 1970, UTC. */
  readonly firstSeen: number
}

export function createConditionTally(code: ConditionCode): ConditionTally {
  const evidence = createEvidence()
  let first: FirstFinding | undefined
  let rows = 0
  let events = 0
  let firstSeen = Number.POSITIVE_INFINITY
  let lastSeen = 0
  let firstPosition: RowPosition | undefined
  return {
    code,
    add(finding, { at, position, times = 1, location, lines = [finding.message], isRow = false, isUncounted = false }) {
      if (firstSeen === Number.POSITIVE_INFINITY || comparePositions(position, firstPosition) < 0)
        firstPosition = position
      firstSeen = Math.min(firstSeen, at)
      lastSeen = Math.max(lastSeen, at)
      if (first === undefined || isBefore({ finding, position }, first)) first = { finding, position }
      if (!isUncounted && isRow) rows += times
      else if (!isUncounted) events += times
      for (const line of lines) evidence.add(line, { location, position })
    },
    count: () => rows + events,
    found: () => ({ position: firstPosition, firstSeen: firstSeen === Number.POSITIVE_INFINITY ? 0 : firstSeen }),
    condition(formatMessage = (message) => message) {
      const { title, remedy } = CONDITIONS[code]
      const { advice, isAdviceAll = false, message = "" } = first?.finding ?? {}
      return {
        code,
        title: first?.finding.title ?? title,
        message: formatMessage(evidenceLine(message, MAX_MESSAGE), rows),
        evidence: [...evidence.list()],
        remedy: [advice, isAdviceAll ? undefined : remedy].filter((part) => part !== undefined).join(" "),
        count: Math.max(1, rows + events),
        first_seen: formatTimestamp(firstSeen === Number.POSITIVE_INFINITY ? 0 : firstSeen),
        last_seen: formatTimestamp(lastSeen),
      }
    },
  }
}

interface FirstFinding {
  readonly finding: Finding
  readonly position: RowPosition | undefined
}

/** Returns whether a finding is shown instead of another one: it has advice, which is more useful, or it is of an earlier row. */
function isBefore(one: FirstFinding, other: FirstFinding): boolean {
  const lacksAdvice = Number(one.finding.advice === undefined) - Number(other.finding.advice === undefined)
  return lacksAdvice === 0 ? comparePositions(one.position, other.position) < 0 : lacksAdvice < 0
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
  add(line: string, seen: Pick<Seen, "location" | "position">): void
  list(): readonly string[]
}

interface EvidenceLine {
  readonly text: string
  readonly position: RowPosition | undefined
}

/** Keeps the 5 lines of the first rows that differ in more than their location, each with at most 500 characters and without secrets. */
function createEvidence(): Evidence {
  const lines = new Map<string, EvidenceLine>()
  let last: RowPosition | undefined
  const inOrder = () => [...lines].toSorted(([, a], [, b]) => comparePositions(a.position, b.position))
  return {
    add(line, { location, position }) {
      const isFull = lines.size >= MAX_EVIDENCE
      if (isFull && comparePositions(position, last) >= 0) return
      const clean = evidenceLine(line, MAX_CHARACTERS)
      const known = lines.get(clean)
      if (clean === "" || (known !== undefined && comparePositions(position, known.position) >= 0)) return
      lines.set(clean, { text: location === undefined ? clean : `${location}: ${clean}`, position })
      const sorted = inOrder()
      if (sorted.length > MAX_EVIDENCE) lines.delete(sorted.pop()?.[0] ?? "")
      last = sorted.at(-1)?.[1].position
    },
    list: () => inOrder().map(([, { text }]) => text),
  }
}

/** Returns a text as one line without secrets. */
function evidenceLine(text: string, maxCharacters: number): string {
  const line = removeSecrets(text.slice(0, MAX_READ)).replace(/\s+/g, " ").trim()
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line
}
