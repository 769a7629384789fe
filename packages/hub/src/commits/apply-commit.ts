import { createHash } from "node:crypto"
import { AssayError, isAssayError } from "@assay/schemas"
import { type FileChange, type FilePath, forEachParallel, undoOnError } from "@assay/storage"
import type { CallerFilesets, Revision } from "@assay/filesets"
import { planCommit, type CommitPlan, type CommitRequest } from "./commit-plan.ts"
import type { ChunkedObjects } from "../xet/chunked-objects.ts"

/** The fileset that a commit changes, with the rights of its caller. */
export interface CommitTarget {
  readonly ws: string
  readonly name: string
  /** Id of the fileset. */
  readonly fileset: string
  readonly registry: CallerFilesets
  /** The name of the caller. */
  readonly author: string
  readonly objects: ChunkedObjects
  /** Reads the bytes of the future file `path` and validates its rows if the fileset enforces them. @throws `invalid_request` */
  readonly checkRows: (path: FilePath, bytes: AsyncIterable<Uint8Array>) => Promise<void>
}

/** Files that are checked, written or deleted at a time. */
const PARALLEL_FILES = 8

/**
 * Applies a commit to a fileset, file by file, each of them atomically, and returns the new revision. Everything that can
 * be known in advance is checked before the first change. An error undoes the changes before it, as far as `undoOnError` can.
 * @throws `precondition_failed` if the commit was made for another revision; `bad_upload` if a content is missing;
 * `invalid_request` if the fileset refuses the rows of a file
 */
export async function applyCommit(target: CommitTarget, commit: CommitRequest): Promise<Revision> {
  const { ws, name, registry } = target
  await checkSameFileset(target)
  const before = await registry.revisions.refresh(ws, name)
  if (commit.parent !== undefined && commit.parent !== before.commit) {
    const message = `'${ws}/${name}' is at commit ${before.commit}, but this commit was made for ${commit.parent}. See what changed, then commit again.`
    throw new AssayError("precondition_failed", message)
  }
  const plan = await planCommit(before, commit)
  const { writes, sources } = await findContents(target, before, plan)
  await forEachParallel(writes, PARALLEL_FILES, ({ path, sha256 }) =>
    target.checkRows(path, bytesOf(target, sha256, sources.get(sha256))),
  )
  await storeChangingSources(target, writes, plan)
  const storage = await registry.files.open(ws, name)
  const change = changeOf(target, before, commit.title)
  const after = await undoOnError(
    storage,
    async (apply) => {
      let changes = writes.length
      const removeFile = async (path: FilePath) => {
        changes += 1
        await apply(path, undefined, () => remove(target, path, change))
      }
      await forEachParallel(plan.clear(), PARALLEL_FILES, removeFile)
      await forEachParallel(writes, PARALLEL_FILES, ({ path, sha256 }) =>
        apply(path, sha256, () => write(target, { path, sha256 }, sources.get(sha256), change)),
      )
      await forEachParallel(plan.deletes(), PARALLEL_FILES, removeFile)
      if (changes === 0) return before
      await checkSameFileset(target)
      return registry.revisions.refresh(ws, name, commit.title)
    },
    { change, completion: "Send the commit again to complete it." },
  )
  if (after.commit !== before.commit)
    await registry.history.nameCommit(target.fileset, change.id, after.commit).catch(() => {})
  // The contents are files now. Without the note, chunks are sent again.
  await target.objects.noteCommitted([...new Set(commit.writes.values())]).catch(() => {})
  await removeObjects(target, commit.writes.values())
  return after
}

/** Removes pending objects. One that is left expires. */
export async function removeObjects(
  { objects, fileset }: Pick<CommitTarget, "objects" | "fileset">,
  digests: Iterable<string>,
): Promise<void> {
  await forEachParallel(new Set(digests), PARALLEL_FILES, (sha256) =>
    objects.remove({ fileset, sha256 }).catch(() => {}),
  )
}

/** Stores bytes as a pending object, which is a file before the commit is answered. */
export async function storePending(
  { objects, fileset }: CommitTarget,
  { sha256, size }: { readonly sha256: string; readonly size: number },
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const key = await objects.start({ fileset, sha256 }, size)
  await objects.put({ fileset, sha256, size, key }, bytes, { durable: false })
}

/** Checks that a name is still that of the same fileset. While a commit is sent, the fileset can be renamed, and another one can take its name. */
async function checkSameFileset({ ws, name, fileset, registry }: CommitTarget): Promise<void> {
  const { id } = await registry.filesets.get(ws, name)
  if (id === fileset) return
  throw new AssayError(
    "not_found",
    `'${ws}/${name}' became another repository while the commit was sent. Check the repository, then commit again.`,
  )
}

interface Contents {
  /** The writes, without files that already have their content. */
  readonly writes: CommitPlan["writes"]
  /** For contents that no client sent: the path of a file that has the content, by digest. */
  readonly sources: ReadonlyMap<string, FilePath>
}

/** Finds contents that no client sent. If the commit deletes or replaces every file of a content, copies the content first. */
async function findContents(target: CommitTarget, before: Revision, plan: CommitPlan): Promise<Contents> {
  const { ws, name, fileset, registry, objects } = target
  const planned: {
    readonly path: FilePath
    readonly sha256: string
    readonly isPending: boolean
    readonly isSearched: boolean
  }[] = []
  for (const { path, sha256 } of plan.writes) {
    const isPending = (await objects.size({ fileset, sha256 })) !== undefined
    // Without a digest, the revision does not show whether the file already has this content.
    const hasNoDigest = (await before.get(path))?.sha256 === null
    planned.push({ path, sha256, isPending, isSearched: !isPending || hasNoDigest })
  }
  const searched = planned.filter(({ isSearched }) => isSearched).map(({ sha256 }) => sha256)
  const files = await registry.revisions.find(ws, name, searched)
  const writes: CommitPlan["writes"][number][] = []
  const sources = new Map<string, FilePath>()
  const stored = new Set<string>()
  for (const { path, sha256, isPending, isSearched } of planned) {
    const found = isSearched ? (files.get(sha256) ?? []) : []
    if (found.some((file) => file.path === path)) continue
    writes.push({ path, sha256 })
    if (isPending || sources.has(sha256) || stored.has(sha256)) continue
    const [first] = found
    const unchanged = found.find((file) => !plan.changes(file.path))
    if (unchanged !== undefined) sources.set(sha256, unchanged.path)
    else if (first === undefined) throw notSent(path, sha256)
    else {
      const { bytes } = await registry.revisions.read(ws, name, first.path)
      await storePending(target, { sha256, size: first.size }, bytes)
      stored.add(sha256)
    }
  }
  return { writes, sources }
}

/**
 * Stores the contents that a client sent as chunks of files which this commit changes. A commit with one write needs no copy if that write
 * replaces the file: a file is replaced when all of its new bytes have been read.
 */
async function storeChangingSources(
  target: CommitTarget,
  writes: CommitPlan["writes"],
  plan: Pick<CommitPlan, "changes">,
): Promise<void> {
  const { fileset, objects } = target
  const [only, second] = writes
  for (const { sha256 } of writes) {
    const changing = [...(await objects.readsFrom(sha256))].filter((path) => plan.changes(path))
    if (changing.length === 0) continue
    if (second === undefined && changing.every((path) => path === only?.path)) continue
    const size = (await objects.size({ fileset, sha256 })) ?? 0
    await storePending(target, { sha256, size }, objects.read({ fileset, sha256 }, { start: 0, end: size - 1 }))
  }
}

function notSent(path: string, sha256: string): AssayError {
  const message = `The content of '${path}' (SHA-256 ${sha256}) has not arrived. Send it to the address from the LFS batch API, then commit.`
  return new AssayError("bad_upload", message)
}

/** Yields a content, from the file `source` or from the pending objects. Opens nothing before the first read. */
async function* bytesOf(
  { ws, name, fileset, registry, objects }: CommitTarget,
  sha256: string,
  source: FilePath | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (source !== undefined) {
    yield* (await registry.revisions.read(ws, name, source)).bytes
    return
  }
  const object = { fileset, sha256 }
  const size = (await objects.size(object)) ?? 0
  yield* objects.read(object, { start: 0, end: size - 1 })
}

/** Returns the change of a commit, for the history. The same commit has the same one when it is sent again after a failure. */
function changeOf(
  { fileset, author }: CommitTarget,
  before: Revision,
  title: string,
): FileChange & { readonly id: string } {
  const id = createHash("sha1").update(`${fileset}\n${before.commit}\n${title}`).digest("hex")
  return { author, id, title }
}

async function write(
  target: CommitTarget,
  { path, sha256 }: CommitPlan["writes"][number],
  source: FilePath | undefined,
  change: FileChange,
): Promise<void> {
  const { ws, name, fileset, registry, objects } = target
  try {
    await registry.files.write(ws, name, path, bytesOf(target, sha256, source), {
      sha256,
      filesetId: fileset,
      change,
      disposable: source === undefined && (await objects.ownsBytes({ fileset, sha256 })),
    })
  } catch (error) {
    // The pending object is damaged: the client has to send it again.
    if (source === undefined && isAssayError(error, "checksum_mismatch")) await objects.remove({ fileset, sha256 })
    throw error
  }
}

async function remove(
  { ws, name, fileset, registry }: CommitTarget,
  path: FilePath,
  change: FileChange,
): Promise<void> {
  try {
    await registry.files.remove(ws, name, path, { filesetId: fileset, change })
  } catch (error) {
    if (!isAssayError(error, "not_found")) throw error
  }
}
