import type { CallArguments, PythonValue } from "../values/python-value.ts"

/** The inputs of a filter from the run of its template. */
export interface FilterContext {
  /** Applies another filter by name. */
  readonly filter: (name: string, value: PythonValue, args: CallArguments) => PythonValue
  /** Applies a test by name. */
  readonly test: (name: string, value: PythonValue, args: CallArguments) => boolean
}

export type Filter = (value: PythonValue, args: CallArguments, context: FilterContext) => PythonValue
export type Filters = readonly (readonly [name: string, filter: Filter])[]
