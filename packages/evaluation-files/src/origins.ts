/** Where the values of a document come from that was made of another one. */
export interface Origins {
  /** @param pointer a value of the new document @param origin the value of the other document that it comes from */
  readonly add: (pointer: string, origin: string) => void
  /** Returns the origin of a value, or of the nearest value around it that has one. */
  readonly of: (pointer: string) => string
}

export function createOrigins(): Origins {
  const origins = new Map<string, string>()
  return {
    add: (pointer, origin) => void origins.set(pointer, origin),
    of(pointer) {
      for (let at = pointer.length; at > 0; at = pointer.lastIndexOf("/", at - 1)) {
        const origin = origins.get(pointer.slice(0, at))
        if (origin !== undefined) return origin + pointer.slice(at)
      }
      return pointer
    },
  }
}
