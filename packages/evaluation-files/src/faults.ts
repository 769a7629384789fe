import { AssayError, isAssayError } from "@assay/schemas"

/** Collects the faults of a document, so that one error names all of them. */
export interface Faults {
  readonly isEmpty: boolean
  /** Adds a fault. @param pointer the value that has it */
  add(fault: AssayError, pointer: string): void
  /** Runs a part of the work. A fault that it throws is added, and undefined returned. @param pointer the value that is read */
  attempt<T>(pointer: string, work: () => T): T | undefined
  /** Returns whether a value, or one inside it, has a fault. */
  has(pointer: string): boolean
  /** Returns whether a value itself has a fault. */
  isAt(pointer: string): boolean
  /** Throws one error for all faults. Does nothing if there is none. @throws `bad_document` */
  throwAll(): void
}

/** Maximum number of faults that one error names. */
const MAX_NAMED = 20

export function createFaults(): Faults {
  const found = new Map<string, { readonly fault: AssayError; readonly pointer: string }>()
  // Several jobs of a file have the same faults.
  const add = (fault: AssayError, pointer: string) => void found.set(fault.message, { fault, pointer })
  return {
    get isEmpty() {
      return found.size === 0
    },
    add,
    attempt(pointer, work) {
      try {
        return work()
      } catch (error) {
        if (!isAssayError(error, "bad_document")) throw error
        add(error, pointer)
        return undefined
      }
    },
    has: (pointer) => [...found.values()].some((one) => `${one.pointer}/`.startsWith(`${pointer}/`)),
    isAt: (pointer) => [...found.values()].some((one) => one.pointer === pointer),
    throwAll() {
      const [first, ...others] = [...found.values()].map(({ fault }) => fault)
      if (first !== undefined) throw others.length === 0 ? first : joinFaults([first, ...others])
    },
  }
}

/** Returns one error for several faults in the order of the file. Their messages begin with their location. */
function joinFaults(faults: readonly AssayError[]): AssayError {
  const located = faults.map(({ message }) => {
    const [, location = "", line = 0, column = 0, msg = message] = LOCATED.exec(message) ?? []
    return {
      message,
      issue: { loc: [location], msg, type: "value_error" },
      at: [Number(line), Number(column)] as const,
    }
  })
  const sorted = located.toSorted((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1])
  const named = sorted.slice(0, MAX_NAMED)
  const count = `The file has ${faults.length} faults${named.length < faults.length ? `, of which these are the first ${named.length}` : ""}.`
  return new AssayError("bad_document", [count, ...named.map(({ message }) => message)].join(" "), {
    issues: named.map(({ issue }) => issue),
    context: { count },
  })
}

const LOCATED = /^(.*?:(\d+):(\d+)): ([^]*)$/
