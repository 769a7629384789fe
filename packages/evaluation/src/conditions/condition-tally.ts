import { CONDITIONS, formatTimestamp, type Condition } from "@assay/schemas"
import { createEvidence, evidenceLine } from "./evidence.ts"
import type { Finding } from "./finding.ts"

/** One condition, as often as it is found. */
export interface ConditionTally {
  readonly code: Finding["code"]
  /** `of` is what was counted: a row where `isRow`, else an event of the job. */
  add(finding: Finding, seen: Seen): void
  count(): number
  firstSeen(): number
  /** `message` of its own, where one is made of all that was found. */
  condition(message?: (first: string, rows: number) => string): Condition
}

export interface Seen {
  readonly at: number
  /** Where, told before the line of evidence. */
  readonly place?: string
  /** The lines of evidence. Default: the message. */
  readonly lines?: readonly string[]
  readonly isRow?: boolean
  /** Told of what others count. */
  readonly isUncounted?: boolean
}

export function createConditionTally(code: Finding["code"]): ConditionTally {
  const evidence = createEvidence()
  let first: Finding | undefined
  let [rows, events, firstSeen, lastSeen] = [0, 0, 0, 0]
  return {
    code,
    add(finding, { at, place, lines = [finding.message], isRow = false, isUncounted = false }) {
      if (first === undefined) firstSeen = at
      lastSeen = at
      // What comes with advice tells more than what came first.
      if (first === undefined || (first.advice === undefined && finding.advice !== undefined)) first = finding
      if (!isUncounted && isRow) rows += 1
      else if (!isUncounted) events += 1
      for (const line of lines) evidence.add(line, place)
    },
    count: () => rows + events,
    firstSeen: () => firstSeen,
    condition(tell = (message) => message) {
      const { title, remedy } = CONDITIONS[code]
      const { advice, isAdviceAll = false } = first ?? {}
      return {
        code,
        title: first?.title ?? title,
        message: tell(evidenceMessage(first), rows),
        evidence: [...evidence.list()],
        remedy: [advice, isAdviceAll ? undefined : remedy].filter((part) => part !== undefined).join(" "),
        count: Math.max(1, rows + events),
        first_seen: formatTimestamp(firstSeen),
        last_seen: formatTimestamp(lastSeen),
      }
    },
  }
}

/** Longer than a line of evidence, since it ends with what to do. */
function evidenceMessage(finding: Finding | undefined): string {
  return finding === undefined ? "" : evidenceLine(finding.message, 1000)
}
