import type { ErrorCode } from "@assay/schemas"

/** Collects issues, so that all of them are reported together. */
export interface IssueList {
  readonly add: (message: string, code?: ErrorCode) => void
  /** Returns the value of `make`. If it throws, returns undefined and adds an issue. */
  readonly attempt: <Value>(make: () => Value) => Value | undefined
}
