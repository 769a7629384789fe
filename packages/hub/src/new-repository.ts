import { AssayError, type Fileset, isAssayError, type NewHubRepositoryBody, type Purpose } from "@assay/schemas"
import type { Static } from "@sinclair/typebox"
import type { CommitLine } from "./commits/receive-commit.ts"
import type { CallerRegistry } from "@assay/registry"
import type { Repository } from "./hub-address.ts"

const PURPOSES: Readonly<Record<string, Purpose>> = { model: "model", dataset: "dataset" }

export interface NewRepository extends Repository {
  /** `model` or `dataset` becomes the purpose of the fileset. */
  readonly type: string
  readonly url: string
}

/**
 * Creates the fileset of a repository.
 * @throws `already_exists`, with the URL in its context: clients with `exist_ok` read it from there
 */
export async function createRepository(
  { filesets }: CallerRegistry,
  { ws, name, type, url }: NewRepository,
): Promise<Fileset> {
  try {
    return await filesets.create(ws, { name, purpose: PURPOSES[type] ?? "generic" })
  } catch (error) {
    if (!isAssayError(error, "already_exists")) throw error
    throw new AssayError("already_exists", error.message, { context: { url }, cause: error })
  }
}

/** Yields the lines of the first commit of a repository. */
export async function* firstCommit(
  files: NonNullable<Static<typeof NewHubRepositoryBody>["files"]>,
): AsyncGenerator<CommitLine> {
  yield { key: "header", value: { summary: "Initial commit" } }
  for (const value of files) yield { key: "file", value }
}
