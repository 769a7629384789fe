import { AssayError, enumeration, type Role } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { access } from "../auth/access.ts"

/** Types of repositories. Every fileset can be reached as each of them. */
const REPOSITORY_TYPES = ["models", "datasets", "spaces"] as const

const type = enumeration(REPOSITORY_TYPES, { description: "Every fileset can be reached as each of them." })
const ws = Type.String({ description: "The workspace, which is the namespace of a repository id." })
const name = Type.String({ description: "The fileset, which is the name of a repository id." })
const rev = Type.String({ description: "`main`, a tag, or the id of one of the last 100 commits or of a change." })
const path = { "*": Type.String({ description: "Path within the fileset; slashes as they are or as %2F." }) }

export const RepositoryParameters = Type.Object({ type, ws, name })
export const RevisionParameters = Type.Object({ type, ws, name, rev })
export const FolderParameters = Type.Object({ type, ws, name, rev, ...path })
export const ResolveParameters = Type.Object({ ws, name, rev, ...path })
export const GitParameters = Type.Object({ ws, repo: Type.String({ description: "`{fileset}.git`" }) })

/** Returns the config of a route for Git LFS: it sends the user name and the password that its user has stored for the address. */
export function lfsAccess(role: Role): ReturnType<typeof access> {
  return access({ scope: "workspace", role }, { takesBasic: true })
}

/** Returns whether a parameter is true. Python clients send `True`. */
export function isTrue(value: unknown): boolean {
  return value === true || ["true", "True", "1"].includes(String(value))
}

const MAX_TEXTS = 20

/** Returns the values of a parameter that can be given more than once, at most 20 of them. */
export function textsOf(value: unknown): readonly string[] {
  if (value === undefined) return []
  return [value].flat().slice(0, MAX_TEXTS).map(String)
}

export const CommitQuery = Type.Object({ create_pr: Type.Optional(Type.String()) })

/** @throws `bad_request` if the commit asks for a pull request */
export function refusePullRequest(create_pr: string | undefined): void {
  if (!isTrue(create_pr)) return
  throw new AssayError("bad_request", "This hub has no pull requests. Commit to main, without create_pr.")
}
