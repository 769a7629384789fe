import { AssayError, enumeration } from "@assay/schemas"
import { Type } from "@sinclair/typebox"

/** Types of repositories. Every fileset can be reached as each of them. */
const REPOSITORY_TYPES = ["models", "datasets", "spaces"] as const

const type = enumeration(REPOSITORY_TYPES, { description: "Every fileset can be reached as each of them." })
const ws = Type.String({ description: "The workspace, which is the namespace of a repository id." })
const name = Type.String({ description: "The fileset, which is the name of a repository id." })
const rev = Type.String({ description: "`main`, or the id of one of the last 100 commits." })
const path = { "*": Type.String({ description: "Path within the fileset; slashes as they are or as %2F." }) }

export const RepositoryParameters = Type.Object({ type, ws, name })
export const RevisionParameters = Type.Object({ type, ws, name, rev })
export const FolderParameters = Type.Object({ type, ws, name, rev, ...path })
export const ResolveParameters = Type.Object({ ws, name, rev, ...path })
export const GitParameters = Type.Object({ ws, repo: Type.String({ description: "`{fileset}.git`" }) })

/** Returns whether a parameter is true. Python clients send `True`. */
export function isTrue(value: unknown): boolean {
  return value === true || ["true", "True", "1"].includes(String(value))
}

export const CommitQuery = Type.Object({ create_pr: Type.Optional(Type.String()) })

/** @throws `bad_request` if the commit asks for a pull request */
export function refusePullRequest(create_pr: string | undefined): void {
  if (!isTrue(create_pr)) return
  throw new AssayError("bad_request", "This hub has no pull requests. Commit to main, without create_pr.")
}
