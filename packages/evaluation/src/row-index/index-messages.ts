import type { ErrorCode, ValidationIssue } from "@assay/schemas"
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
  readonly failure?: {
    /** Absent: a defect. */
    readonly code: ErrorCode | undefined
    readonly message: string
    readonly issues: readonly ValidationIssue[]
    readonly context: Readonly<Record<string, unknown>>
  }
}
