import type { Change } from "./change.ts"

/** The last changes in their order. A change that is repeated has its last place only. */
export interface ChangeLog {
  /** The number of the last change; 0 if there is none. */
  last(): number
  add(change: Change): void
  /** Forgets all changes: some may be missing. */
  forget(): void
  /** Returns the changes after a number. Undefined if some of them are forgotten, or if the number is not of this log. */
  since(number: number): readonly Change[] | undefined
}

/** Creates a log that keeps at most `size` changes. */
export function createChangeLog(size: number): ChangeLog {
  const kept = new Map<string, { readonly number: number; readonly change: Change }>()
  let last = 0
  let forgotten = 0
  return {
    last: () => last,
    add(change) {
      const key = JSON.stringify([change.kind, change.workspace, change.name])
      last += 1
      kept.delete(key)
      kept.set(key, { number: last, change })
      if (kept.size <= size) return
      const [oldest] = kept
      if (oldest === undefined) return
      kept.delete(oldest[0])
      forgotten = oldest[1].number
    },
    forget() {
      kept.clear()
      last += 1
      forgotten = last
    },
    since(number) {
      if (number < forgotten || number > last) return undefined
      return [...kept.values()].filter((one) => one.number > number).map(({ change }) => change)
    },
  }
}
