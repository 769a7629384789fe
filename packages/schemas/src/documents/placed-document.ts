/** A parsed document with the places of its values. */
export interface PlacedDocument {
  readonly value: unknown
  /** Returns `file:line:column` of the value at a JSON pointer, or of the nearest value around it if it is missing. */
  readonly placeOf: (pointer: string) => string
}
