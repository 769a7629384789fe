import { AssayError, isAssayError } from "@assay/schemas"
import {
  compareCodePoints,
  forEachParallel,
  quotePath,
  undoOnError,
  type FileChange,
  type FilePath,
  type Storage,
  type ChangeFile,
} from "@assay/storage"
import type { Files } from "../files/files.ts"
import type { FilesetsContext } from "../filesets-context.ts"
import type { RevisionFile } from "../revisions/revision-file.ts"
import { newChangeId } from "./change-groups.ts"
import { compareStates } from "./compare-states.ts"
import { findVersion, whyGone, type FoundVersion } from "../revisions/kept/find-kept.ts"
import { presentState, type FilesetState } from "./fileset-states.ts"
import type { RestoreOptions, RestoreReport } from "./history.ts"

/** The steps of a restoration. */
interface RestorePlan {
  readonly writes: readonly RestoredFile[]
  readonly deletes: readonly FilePath[]
}

interface RestoredFile {
  readonly file: RevisionFile
  readonly source: BytesSource
}

/** Where the bytes of a version are: among the kept ones, or in a file that has the same bytes now. */
type BytesSource = { readonly kept: FoundVersion } | { readonly present: FilePath }

export interface RestoreTarget {
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly storage: Storage
  readonly files: Pick<Files, "write" | "remove">
}

/** Number of changes of one restoration, which are in memory. */
const MAX_CHANGES = 100_000
const MAX_NAMED = 20
const PARALLEL_FILES = 4
const PARALLEL_LOOKS = 8

interface RestoreRequest extends Omit<RestoreOptions, "revision"> {
  readonly state: FilesetState
  readonly author: string
}

/** Brings a state back as a new change, or says what this would change. @throws `revision_gone`, `too_large` */
export async function restoreState(
  context: Pick<FilesetsContext, "database" | "newId">,
  target: RestoreTarget,
  { state, path, isDryRun, author, signal }: RestoreRequest,
): Promise<RestoreReport> {
  const plan = await planRestore(context, target, { state, path })
  const isSame = plan.writes.length + plan.deletes.length === 0
  if (isSame && path !== undefined) await checkKnown(target, state, path)
  const isChanged = !isDryRun && !isSame
  const id = newChangeId(context.newId)
  const title = `Restore ${path === undefined ? "" : `${path} of `}${state.revision}`
  if (isChanged) await runRestore(target, plan, { change: { author, id, title }, signal })
  return {
    revision: state.revision,
    change: isChanged ? id : undefined,
    written: plan.writes.map(({ file }) => ({ path: file.path, size: file.size })),
    deleted: plan.deletes,
  }
}

/** Refuses a path that neither the present files nor those of the state have, which is probably a mistake. @throws `not_found` */
async function checkKnown({ workspace, name, storage }: RestoreTarget, state: FilesetState, path: FilePath) {
  for (const one of [state, presentState(storage)]) for await (const _file of one.files(path)) return
  const message = `'${workspace}/${name}' has no file or folder ${quotePath(path)}, neither now nor at ${state.revision}.`
  throw new AssayError("not_found", message, { context: { workspace, fileset: name, path } })
}

/** Plans how to bring a state back. @throws `revision_gone` if bytes are gone; `too_large` */
async function planRestore(
  context: Pick<FilesetsContext, "database">,
  { id, workspace, name, storage }: Omit<RestoreTarget, "files">,
  { state, path }: { readonly state: FilesetState; readonly path: FilePath | undefined },
): Promise<RestorePlan> {
  const wanted: RevisionFile[] = []
  const deletes: FilePath[] = []
  for await (const { change, path: at, to } of compareStates(presentState(storage), state, path)) {
    if (change === "removed") deletes.push(at)
    else wanted.push(to)
    if (wanted.length + deletes.length > MAX_CHANGES) throw tooMany()
  }
  const writes: RestoredFile[] = []
  const lost: { readonly file: RevisionFile; readonly found: FoundVersion | undefined }[] = []
  await forEachParallel(wanted, PARALLEL_LOOKS, async (file) => {
    const found = await findVersion(context, id, file)
    const isThere = found?.gone_at === null && (await storage.kept?.size(found.id)) === found.size
    if (isThere) writes.push({ file, source: { kept: found } })
    else lost.push({ file, found: found && { ...found, gone_why: found.gone_why ?? "lost" } })
  })
  const copies = await findCopies(
    storage,
    lost.map(({ file }) => file),
    new Set(wanted.map((file) => file.path)),
  )
  const gone: string[] = []
  for (const { file, found } of lost.toSorted((a, b) => compareCodePoints(a.file.path, b.file.path))) {
    const present = file.sha256 === null ? undefined : copies.get(file.sha256)
    if (present !== undefined) writes.push({ file, source: { present } })
    else gone.push(`'${file.path}' (its bytes ${whyGone(found)})`)
  }
  if (gone.length === 0) return { writes, deletes }
  const named = gone.slice(0, MAX_NAMED).join(", ")
  const more = gone.length > MAX_NAMED ? ` and ${gone.length - MAX_NAMED} more` : ""
  const what = gone.length === 1 ? "One file" : `${gone.length} files`
  const message = `${what} of '${workspace}/${name}' at ${state.revision} can't be restored: ${named}${more}. Nothing changed. Restore other paths one by one, or a later revision.`
  throw new AssayError("revision_gone", message, { context: { workspace, fileset: name, revision: state.revision } })
}

/** Finds present files with the bytes of lost versions, by digest. Files that the restoration replaces are left out. */
async function findCopies(
  storage: Storage,
  lost: readonly RevisionFile[],
  replaced: ReadonlySet<string>,
): Promise<ReadonlyMap<string, FilePath>> {
  const wanted = new Set(lost.flatMap(({ sha256 }) => sha256 ?? []))
  const copies = new Map<string, FilePath>()
  if (wanted.size === 0) return copies
  for await (const { path, sha256 } of storage.list()) {
    if (sha256 !== null && wanted.has(sha256) && !replaced.has(path)) copies.set(sha256, path)
  }
  return copies
}

function tooMany(): AssayError {
  const message = `More than ${MAX_CHANGES} files differ; restore one folder after the other, by its path.`
  return new AssayError("too_large", message)
}

/**
 * Changes the files by a plan. An error undoes the changes before it, as far as `undoOnError` can. Files are written before others are deleted, so
 * that a restoration that a crash interrupts can be repeated.
 */
async function runRestore(
  target: RestoreTarget,
  { writes, deletes }: RestorePlan,
  { change, signal }: { readonly change: FileChange; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const { id, workspace, name, storage, files } = target
  const options = { change, filesetId: id, signal }
  const removeFile = async (path: FilePath) => {
    try {
      await files.remove(workspace, name, path, options)
    } catch (error) {
      if (!isAssayError(error, "not_found")) throw error
    }
  }
  const { first, last } = orderDeletes(writes, deletes)
  const work = async (apply: ChangeFile) => {
    const remove = (path: FilePath) => apply(path, undefined, () => removeFile(path))
    await forEachParallel(first, PARALLEL_FILES, remove)
    await forEachParallel(writes, PARALLEL_FILES, (write) => applyWrite(apply, target, write, options))
    await forEachParallel(last, PARALLEL_FILES, remove)
  }
  await undoOnError(storage, work, { change, completion: "Restore the revision again to complete it." })
}

async function applyWrite(
  apply: ChangeFile,
  { workspace, name, storage, files }: RestoreTarget,
  { file, source }: RestoredFile,
  options: NonNullable<Parameters<RestoreTarget["files"]["write"]>[4]>,
): Promise<void> {
  const { path, size, sha256 } = file
  const known = sha256 ?? ("kept" in source ? source.kept.sha256 : null)
  const location = "kept" in source ? storage.kept?.locate(source.kept.id) : undefined
  const grown =
    location === undefined || known === null ? undefined : { size, sha256: known, location, isTouched: true }
  let written = known
  await apply(
    path,
    () => written ?? "",
    async () => {
      const bytes = bytesOf(storage, source)
      const info = await files.write(workspace, name, path, bytes, {
        ...options,
        size,
        sha256: known ?? undefined,
        grown,
      })
      // Local storage, which alone keeps former files, has digests as ETags.
      written ??= info.etag?.replaceAll('"', "") ?? null
    },
  )
}

/** Yields the bytes of a version. Opens nothing before the first read. */
async function* bytesOf(storage: Storage, source: BytesSource): AsyncGenerator<Uint8Array, void, undefined> {
  if ("present" in source) {
    yield* (await storage.read(source.present)).bytes
    return
  }
  if (storage.kept === undefined) throw new TypeError("A storage without kept bytes has kept some.")
  yield* (await storage.kept.read(source.kept.id, { sha256: source.kept.sha256 ?? undefined })).bytes
}

/** Separates the files that are in the way of others: a file whose path becomes a folder, or files of a folder that becomes a file. */
function orderDeletes(writes: RestorePlan["writes"], deletes: readonly FilePath[]) {
  const written = new Set<string>(writes.map(({ file }) => file.path))
  const folders = new Set<string>()
  for (const path of written) for (const folder of foldersOf(path)) folders.add(folder)
  const isFirst = (path: string) => folders.has(path) || foldersOf(path).some((folder) => written.has(folder))
  return { first: deletes.filter(isFirst), last: deletes.filter((path) => !isFirst(path)) }
}

function foldersOf(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1)
  return names.map((_, depth) => names.slice(0, depth + 1).join("/"))
}
