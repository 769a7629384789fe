import type { ThreadFailure } from "../threads/thread-failure.ts"
import type { RowTables } from "./open-tables.ts"

/** A call of an operation of the row tables. */
export interface ToIndexThread {
  readonly id: number
  readonly call: keyof RowTables
  readonly args: readonly unknown[]
}

/** The value of a call, or why it failed. */
export interface FromIndexThread {
  readonly id: number
  readonly value?: unknown
  readonly failure?: ThreadFailure
}
