import type { Row } from "../rows/row.ts"
import type { RowChecker, RowFault } from "../schemas/row-checker.ts"

/** Issues of one kind. */
export interface IssueCount extends RowFault {
  readonly count: number
}

/** Kinds that are counted. Messages of unreadable rows could be very many. */
const MAX_KINDS = 200

/** Returns the kinds of the issues of a row, each as often as it has issues of the kind; none if it has no issues. */
export function kindsOf(row: Row, checker: RowChecker | undefined): readonly RowFault[] {
  if (row.fault !== null) return [{ pointer: "", message: withoutTexts(row.fault) }]
  const lost = (row.lost ?? []).map(({ pointer, message }) => ({
    pointer: ofAnyElement(pointer),
    message: message.replace(/; it is .*$/su, ""),
  }))
  if (checker === undefined || checker.isValid(row.row, row.hasExact)) return lost
  const broken = checker
    .listBrokenRules(row.row, row.hasExact)
    .map(({ pointer, message }) => ({ pointer: ofAnyElement(pointer), message }))
  return lost.length === 0 ? broken : [...lost, ...broken]
}

/** Returns a pointer in which any element of an array stands for all of them. */
function ofAnyElement(pointer: string): string {
  return /\/\d/u.test(pointer) ? pointer.replaceAll(/\/\d+(?=\/|$)/gu, "/*") : pointer
}

/** Returns the fault of an unreadable row without its texts and numbers. */
function withoutTexts(fault: string): string {
  return fault.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'|\d+/gu, "…")
}

export function isSameKind(a: RowFault, b: RowFault): boolean {
  return a.pointer === b.pointer && a.message === b.message
}

/** Counts issues by kind. */
export function createKindCounts(): {
  readonly add: (kind: RowFault, count?: number) => void
  /** The kinds, the most frequent one first. */
  readonly list: () => readonly IssueCount[]
} {
  const known: { -readonly [Key in keyof IssueCount]: IssueCount[Key] }[] = []
  const byPointer = new Map<string, Map<string, { count: number }>>()
  return {
    add({ pointer, message }, count = 1) {
      const kind = byPointer.get(pointer)?.get(message)
      if (kind !== undefined) {
        kind.count += count
        return
      }
      if (known.length >= MAX_KINDS) return
      const made = { pointer, message, count }
      known.push(made)
      const ofPointer = byPointer.get(pointer) ?? new Map<string, { count: number }>()
      byPointer.set(pointer, ofPointer.set(message, made))
    },
    list: () => known.map((kind) => ({ ...kind })).toSorted((a, b) => b.count - a.count),
  }
}
