import { boundText, type AssayError } from "@assay/schemas"
import { boundIssues } from "@assay/validation"

/** The message for a refused token. Clients take any other 401 for a missing repository. */
const BAD_TOKEN = "Invalid credentials in Authorization header"

/** The facts of a failed request that decide its error. */
export interface FailedRequest {
  readonly hasToken: boolean
  /** Whether the path names a repository. */
  readonly isOfRepository: boolean
}

/** Returns the hub's code for a missing thing. Without a token, private and missing repositories look the same. */
export function hubErrorCode({ code, context }: AssayError, request: FailedRequest): string | undefined {
  if (code === "unauthorized") return request.isOfRepository && !request.hasToken ? "RepoNotFound" : undefined
  if (code !== "not_found") return undefined
  if ("revision" in context) return "RevisionNotFound"
  if ("path" in context) return "EntryNotFound"
  return "workspace" in context ? "RepoNotFound" : undefined
}

/** Returns the message of an error as the hub words it. */
export function hubErrorMessage(fault: AssayError, { hasToken }: FailedRequest): string {
  if (fault.code === "unauthorized" && hasToken) return BAD_TOKEN
  const [issue] = fault.issues
  // The message of an error about a file names the file. Other errors are described by their issues.
  if (issue === undefined || "path" in fault.context) return boundText(fault.message)
  const [{ loc, msg } = issue] = boundIssues([issue])
  return boundText(`${loc.join(".")}: ${msg}`)
}
