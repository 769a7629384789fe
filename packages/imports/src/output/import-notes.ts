/** How a part of the source appears in the evaluation: as it is, with a difference, or not at all. */
export type ImportOutcome = "mapped" | "changed" | "left out"

/** The outcome of the import for a part of the source. */
export interface ImportNote {
  /** Where it is first: `file:line:column`. */
  readonly location: string
  /** The part, such as `not-contains`. */
  readonly part: string
  readonly outcome: ImportOutcome
  /** Its name here, or the reason why it was left out. */
  readonly detail: string
  /** How often it occurs. */
  readonly count: number
}

/** Collects notes. Notes that differ only in their location are one. */
export interface ImportNotes {
  /** @param count how often the part occurs; default 1 */
  add(note: Omit<ImportNote, "count">, count?: number): void
  list(): readonly ImportNote[]
}

/** Further kinds of notes are counted as one. */
const MAX_NOTES = 500

export function createImportNotes(): ImportNotes {
  const notes = new Map<string, ImportNote>()
  return {
    add(given, count = 1) {
      const isFull = notes.size >= MAX_NOTES
      const rest = {
        location: given.location,
        part: "others",
        outcome: given.outcome,
        detail: "further parts",
      } as const
      const note = isFull && !notes.has(keyOf(given)) ? rest : given
      const key = keyOf(note)
      const known = notes.get(key)
      notes.set(key, known === undefined ? { ...note, count } : { ...known, count: known.count + count })
    },
    list: () => [...notes.values()],
  }
}

function keyOf({ part, outcome, detail }: Omit<ImportNote, "count" | "location">): string {
  return JSON.stringify([part, outcome, detail])
}
