/** Levels of brackets that are told apart; deeper ones are only counted. */
const TOLD_APART = 1000

/** The brackets that are open, by their opening byte. */
export interface Nesting {
  readonly open: (byte: number) => void
  /** Closes the innermost bracket opened by `byte`, and those within it. False where there is none. */
  readonly close: (byte: number) => boolean
  readonly isFlat: () => boolean
  readonly clear: () => void
}

/** Nothing is open yet. Its memory is bounded, however deep the brackets are nested. */
export function createNesting(): Nesting {
  const levels: number[] = []
  let deeper = 0
  return {
    open(byte) {
      if (levels.length < TOLD_APART) levels.push(byte)
      else deeper++
    },
    close(byte) {
      if (deeper > 0) {
        deeper--
        return true
      }
      const level = levels.lastIndexOf(byte)
      if (level === -1) return false
      levels.length = level
      return true
    },
    isFlat: () => levels.length === 0,
    clear() {
      levels.length = 0
      deeper = 0
    },
  }
}
