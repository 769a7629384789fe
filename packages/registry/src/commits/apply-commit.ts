import type { Tree } from "@assay/registry"
import { AssayError, isAssayError } from "@assay/schemas"
import { planCommit, type CommitPlan, type CommitRequest } from "./commit-plan.ts"
import { keepObject, type CommitTarget } from "./commit-target.ts"
import { forEachParallel } from "./for-each-parallel.ts"

const PARALLEL = 8

/**
 * Changes a fileset to what a commit asks for, file by file, each of them whole, and answers with its tree then.
 * Everything that can be known before is checked before the first change.
 * @throws `precondition_failed` where the commit was made for another tree; `bad_upload` where a content is missing;
 * `invalid_request` where the fileset refuses the rows of one
 */
export async function applyCommit(target: CommitTarget, commit: CommitRequest): Promise<Tree> {
  const { ws, name, fileset, registry, objects } = target
  await checkSame(target)
  const before = await registry.trees.look(ws, name)
  if (commit.parent !== undefined && commit.parent !== before.commit) {
    const message = `'${ws}/${name}' is at commit ${before.commit}, not at ${commit.parent}, for which this commit was made; look at what changed and commit again.`
    throw new AssayError("precondition_failed", message)
  }
  const plan = planCommit(before, commit)
  const { writes, sources } = await findContents(target, before, plan)
  await forEachParallel(writes, PARALLEL, ({ path, sha256 }) =>
    target.checkRows(path, bytesOf(target, sha256, sources.get(sha256))),
  )
  await forEachParallel(plan.clear, PARALLEL, (path) => remove(target, path))
  await forEachParallel(writes, PARALLEL, ({ path, sha256 }) => write(target, path, sha256, sources.get(sha256)))
  await forEachParallel(plan.deletes, PARALLEL, (path) => remove(target, path))
  for (const sha256 of new Set(commit.writes.values())) await objects.remove({ fileset, sha256 })
  const isChanged = plan.clear.length + writes.length + plan.deletes.length > 0
  if (!isChanged) return before
  await checkSame(target)
  return registry.trees.look(ws, name, commit.title)
}

/** A commit takes as long as its bytes: the fileset may have been renamed since, and another one may have its name. */
async function checkSame({ ws, name, fileset, registry }: CommitTarget): Promise<void> {
  const { id } = await registry.filesets.get(ws, name)
  if (id === fileset) return
  throw new AssayError(
    "not_found",
    `'${ws}/${name}' became another repository while the commit was sent; look and commit again.`,
  )
}

interface Contents {
  /** Without those of files that have the content already. */
  readonly writes: CommitPlan["writes"]
  /** The path of a file that has a content, by digest; for those that no client sent. */
  readonly sources: ReadonlyMap<string, string>
}

/** Finds what no client sent. Where the commit is about to delete or replace every file of a content, it is put aside. */
async function findContents(target: CommitTarget, before: Tree, plan: CommitPlan): Promise<Contents> {
  const { ws, name, fileset, registry, objects } = target
  const passing = new Set([...plan.clear, ...plan.deletes, ...plan.writes.map(({ path }) => path)])
  const writes: CommitPlan["writes"][number][] = []
  const sources = new Map<string, string>()
  for (const { path, sha256 } of plan.writes) {
    const isWaiting = (await objects.size({ fileset, sha256 })) !== undefined
    // The tree alone may not tell that a file has this content already.
    const isOpen = before.get(path)?.sha256 === null
    const found = isWaiting && !isOpen ? [] : await registry.trees.find(ws, name, sha256)
    if (found.some((file) => file.path === path)) continue
    writes.push({ path, sha256 })
    if (isWaiting || sources.has(sha256)) continue
    const [first] = found
    const lasting = found.find((file) => !passing.has(file.path))
    if (lasting !== undefined) sources.set(sha256, lasting.path)
    else if (first === undefined) throw notSent(path, sha256)
    else {
      const { bytes } = await registry.trees.read(ws, name, first.path)
      await keepObject(target, { sha256, size: first.size }, bytes)
    }
  }
  return { writes, sources }
}

function notSent(path: string, sha256: string): AssayError {
  const message = `The content of '${path}' (SHA-256 ${sha256}) has not arrived; send it where the LFS batch API says, then commit.`
  return new AssayError("bad_upload", message)
}

/** A content, from the file `source` that has it, or as a client sent it. Nothing is opened before it is read. */
async function* bytesOf(
  { ws, name, fileset, registry, objects }: CommitTarget,
  sha256: string,
  source: string | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (source !== undefined) {
    yield* (await registry.trees.read(ws, name, source)).bytes
    return
  }
  const object = { fileset, sha256 }
  const size = (await objects.size(object)) ?? 0
  yield* objects.read(object, { start: 0, end: size - 1 })
}

async function write(target: CommitTarget, path: string, sha256: string, source: string | undefined): Promise<void> {
  const { ws, name, fileset, registry, objects } = target
  try {
    await registry.files.write(ws, name, path, bytesOf(target, sha256, source), { sha256, filesetId: fileset })
  } catch (error) {
    // Then it must come once more.
    if (source === undefined && isAssayError(error, "checksum_mismatch")) await objects.remove({ fileset, sha256 })
    throw error
  }
}

async function remove({ ws, name, fileset, registry }: CommitTarget, path: string): Promise<void> {
  try {
    await registry.files.remove(ws, name, path, { filesetId: fileset })
  } catch (error) {
    if (!isAssayError(error, "not_found")) throw error
  }
}
