import { removeSecrets } from "@assay/inference"
import { type Condition, type ConditionCode, CONDITIONS, formatTimestamp } from "@assay/schemas"

/** A condition as one error or one line shows it. */
export interface Finding {
  readonly code: ConditionCode
  /** What happened, with names and values. */
  readonly message: string
  /** In place of the catalogue's, where that speaks of another party. */
  readonly title?: string
  /** What helps here, as whole sentences; told before the catalogue's remedy. */
  readonly advice?: string
  /** Whether the catalogue's remedy is of no help here. */
  readonly isAdviceAll?: boolean
}

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

const MAX_LINES = 5
const MAX_CHARACTERS = 500
/** Secrets are looked for before a line is cut, or half of one would stay at its end; but not in megabytes. */
const MAX_READ = 8192

/** Distinct lines that show a condition. */
export interface Evidence {
  add(line: string, place?: string): void
  list(): readonly string[]
}

/** Keeps the first five that differ in more than their place; one line each, of 500 characters, secrets removed. */
export function createEvidence(): Evidence {
  const lines = new Map<string, string>()
  return {
    add(line, place) {
      if (lines.size >= MAX_LINES) return
      const clean = evidenceLine(line)
      if (clean === "" || lines.has(clean)) return
      lines.set(clean, place === undefined ? clean : `${place}: ${clean}`)
    },
    list: () => [...lines.values()],
  }
}

/** A text as one line that may be shown. */
export function evidenceLine(text: string, most = MAX_CHARACTERS): string {
  const line = removeSecrets(text.slice(0, MAX_READ)).replace(/\s+/g, " ").trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}
