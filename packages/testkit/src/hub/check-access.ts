import { errorAnswer, type HubAnswer } from "./hub-answer.ts"
import type { StoredRepository } from "./stored-repository.ts"

/** The caller; undefined if anonymous. */
export interface Caller {
  /** Ids of private and gated repositories that the token opens. */
  readonly opens: readonly string[]
}

/** Returns the caller of a request, or the refusal of an unknown token. */
export function authenticate(
  authorization: string | undefined,
  tokens: Readonly<Record<string, readonly string[]>>,
): { readonly caller: Caller | undefined } | { readonly refusal: HubAnswer } {
  if (authorization === undefined) return { caller: undefined }
  const opens = Object.entries(tokens).find(([token]) => authorization === `Bearer ${token}`)?.[1]
  if (opens !== undefined) return { caller: { opens } }
  // The real hub sends no code here either. Clients use this to distinguish a bad token from a missing repository.
  return { refusal: errorAnswer(401, "Invalid credentials in Authorization header") }
}

/** Returns the refusal for a caller who may not read, or undefined. Listings of a gated repository are public. */
export function refuseAccess(
  repository: StoredRepository | undefined,
  caller: Caller | undefined,
  wants: "listing" | "bytes",
): HubAnswer | undefined {
  const isAdmitted = repository !== undefined && caller?.opens.includes(repository.id) === true
  if (repository === undefined || (repository.private && !isAdmitted)) {
    if (caller === undefined) return errorAnswer(401, "Invalid username or password.", { code: "RepoNotFound" })
    return errorAnswer(404, "Repository not found", { code: "RepoNotFound" })
  }
  if (repository.disabled) return errorAnswer(403, "Access to this resource is disabled.")
  if (repository.gated === false || isAdmitted || wants === "listing") return undefined
  const what = `Access to ${repository.type} ${repository.id} is restricted`
  if (caller === undefined) {
    const message = `${what}. You must have access to it and be authenticated to access it. Please log in.`
    return errorAnswer(401, message, { code: "GatedRepo" })
  }
  const message = `${what} and you are not in the authorized list. Visit its page to ask for access.`
  return errorAnswer(403, message, { code: "GatedRepo" })
}
