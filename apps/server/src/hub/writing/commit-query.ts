import { AssayError } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { isTrue } from "../hub-parameters.ts"

export const CommitQuery = Type.Object({ create_pr: Type.Optional(Type.String()) })

/** @throws `bad_request` where a pull request is asked for */
export function refusePullRequest(create_pr: string | undefined): void {
  if (!isTrue(create_pr)) return
  throw new AssayError("bad_request", "There are no pull requests here: commit to main, without create_pr.")
}
