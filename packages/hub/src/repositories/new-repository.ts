import { ensureWorkspace, type Registry } from "@assay/registry"
import type { CallerFilesets } from "@assay/filesets"
import {
  AssayError,
  type CreateFileset,
  type Fileset,
  isAssayError,
  type NewHubRepositoryBody,
  type Purpose,
} from "@assay/schemas"
import type { Static } from "@sinclair/typebox"
import type { CommitLine } from "../commits/receive-commit.ts"
import type { Repository } from "../hub-address.ts"

const PURPOSES: Readonly<Record<string, Purpose>> = { model: "model", dataset: "dataset" }

export interface NewRepository extends Repository {
  /** `model` or `dataset` becomes the purpose of the fileset. */
  readonly type: string
  readonly url: string
  /** Creates the workspace if it does not exist. Undefined: the sender may not create workspaces. */
  readonly workspaces: Registry["workspaces"] | undefined
}

/**
 * Creates the fileset of a repository, and its workspace if the sender may create workspaces: clients of a hub know no call for that.
 * @throws `already_exists`, with the URL in its context: clients with `exist_ok` read it from there
 */
export async function createRepository(
  { filesets }: CallerFilesets,
  { ws, name, type, url, workspaces }: NewRepository,
): Promise<Fileset> {
  try {
    const body = { name, purpose: PURPOSES[type] ?? "generic" }
    return await (workspaces === undefined
      ? filesets.create(ws, body)
      : createWithWorkspace({ filesets, workspaces }, ws, body))
  } catch (error) {
    if (!isAssayError(error, "already_exists")) throw error
    throw new AssayError("already_exists", error.message, { context: { url }, cause: error })
  }
}

async function createWithWorkspace(
  { filesets, workspaces }: Pick<CallerFilesets, "filesets"> & Pick<Registry, "workspaces">,
  ws: string,
  body: CreateFileset,
): Promise<Fileset> {
  try {
    return await filesets.create(ws, body)
  } catch (error) {
    if (!isMissingWorkspace(error)) throw error
    await ensureWorkspace(workspaces, ws)
    return filesets.create(ws, body)
  }
}

function isMissingWorkspace(error: unknown): boolean {
  return isAssayError(error, "invalid_request") && error.issues.some(({ type }) => type === "workspace_missing")
}

/** Yields the lines of the first commit of a repository. */
export async function* firstCommit(
  files: NonNullable<Static<typeof NewHubRepositoryBody>["files"]>,
): AsyncGenerator<CommitLine> {
  yield { key: "header", value: { summary: "Initial commit" } }
  for (const value of files) yield { key: "file", value }
}
