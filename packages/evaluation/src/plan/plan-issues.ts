import { type ErrorCode, isAssayError } from "@assay/schemas"
import type { IssueList } from "@assay/scoring"

/** A fault of a target or a configuration that is found before anything is opened. */
export interface PlanIssue {
  /** The name of the task; null if the fault is not in one task. */
  readonly task: string | null
  readonly code: ErrorCode
  readonly message: string
}

/** Returns a list that adds the issues of a task. */
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
