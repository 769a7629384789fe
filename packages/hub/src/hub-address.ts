import { AssayError } from "@assay/schemas"
import type { PendingUpload } from "@assay/uploads"

/** A fileset as clients of the hub address it. */
export interface Repository {
  readonly ws: string
  readonly name: string
}

/** A repository at a revision: `main`, the id of a commit, or a tag. */
export interface RevisionAddress extends Repository {
  /** Default: the current revision. */
  readonly rev?: string | undefined
}

/** All spellings of the only branch. */
const MAIN: ReadonlySet<string> = new Set(["main", "HEAD", "refs/heads/main"])

/** Returns whether a revision is a spelling of the only branch. */
export function isBranch(revision: string): boolean {
  return MAIN.has(revision)
}

/** Converts a revision of the hub for the registry; undefined means the current one. */
export function parseRevision(revision: string | undefined): string | undefined {
  if (revision === undefined || MAIN.has(revision)) return undefined
  return revision.startsWith(TAGS) ? revision.slice(TAGS.length) : revision
}

const TAGS = "refs/tags/"

/** Checks that `revision` is the only branch that can be written, `main`. @throws `not_found` for every other revision */
export function checkBranch(revision: string): void {
  if (parseRevision(revision) === undefined) return
  throw new AssayError("not_found", `There is no branch '${revision}' here; commit to main.`, { context: { revision } })
}

/** Parses the repository of a path `/{ws}/{name}.git/…`. @throws `not_found` */
export function parseGitRepository({ ws, repo }: { readonly ws: string; readonly repo: string }): Repository {
  if (repo.endsWith(".git")) return { ws, name: repo.slice(0, -".git".length) }
  throw new AssayError("not_found", `The path of a repository ends in .git: use '${ws}/${repo}.git'.`)
}

/** Returns the URL of a repository below the URL of the hub. URLs of models do not contain the type. */
export function repositoryUrl(hub: string, type: string, id: string): string {
  return `${hub}/${type === "models" ? "" : `${type}/`}${id}`
}

/** Returns the URL of the LFS API of a repository. */
export function lfsUrl(hub: string, { ws, name }: Repository): string {
  return `${hub}/${ws}/${name}.git/info/lfs`
}

/** Returns the URL for the upload of an object. */
export function uploadUrl(hub: string, { fileset, sha256, size, key }: PendingUpload): string {
  return `${hub}/lfs/${fileset}/${sha256}/${size}/${key}`
}
