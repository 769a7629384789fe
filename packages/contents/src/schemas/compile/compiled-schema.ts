/** What is wrong with a value, in the form that Ajv gives. */
export interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
  readonly data?: unknown
}

/** A schema that values are checked with. */
export interface CompiledSchema {
  readonly isValid: (value: unknown) => boolean
  /** What is wrong with a value that is not valid. */
  readonly errorsOf: (value: unknown) => readonly SchemaError[]
}
