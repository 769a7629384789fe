/** A parsed document with the locations of its values. */
export interface LocatedDocument {
  readonly value: unknown
  /** Returns `file:line:column` of the value at a JSON pointer, or of the nearest value around it if it is missing. */
  readonly locationOf: (pointer: string) => string
}
