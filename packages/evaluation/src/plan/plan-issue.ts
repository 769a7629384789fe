import { isAssayError, type ErrorCode } from "@assay/schemas"

/** What is wrong with a target and a configuration before anything is opened. */
export interface PlanIssue {
  /** Of the task; null where it is the whole. */
  readonly task: string | null
  readonly code: ErrorCode
  readonly message: string
}

/** Collects issues of one place, so that all of them are told together. */
export interface IssueList {
  readonly add: (message: string, code?: ErrorCode) => void
  /** What `make` gives; undefined where it throws, which becomes an issue. */
  readonly attempt: <Value>(make: () => Value) => Value | undefined
}

export function issueList(task: string | null, issues: PlanIssue[]): IssueList {
  const add = (message: string, code: ErrorCode = "invalid_request") => issues.push({ task, code, message })
  return {
    add,
    attempt(make) {
      try {
        return make()
      } catch (error) {
        if (!isAssayError(error)) throw error
        add(error.message, error.code)
        return undefined
      }
    },
  }
}
