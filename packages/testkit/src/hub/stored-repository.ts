import { createHash } from "node:crypto"
import type { FakeFile, FakeFiles, FakeRepository, RepositoryType } from "./fake-hub-options.ts"
import { gitObjectId, lfsPointer } from "./tree-entries.ts"

export interface StoredFile {
  readonly bytes: Buffer
  /** The git id of the blob. For a file outside git, the blob is its pointer. */
  readonly oid: string
  readonly lfs?: { readonly oid: string; readonly size: number; readonly pointerSize: number }
}

export interface Commit {
  readonly sha: string
  readonly files: ReadonlyMap<string, StoredFile>
}

/** A repository with its history. */
export interface StoredRepository extends Required<Omit<FakeRepository, "files">> {
  /** Branches, tags and commits by all of their names. */
  find(revision: string): Commit | undefined
  /** Adds a commit with these changes to a branch (default `main`) and returns its id. */
  commit(files: FakeFiles, branch?: string): string
  tag(name: string, sha: string): void
  /** Returns the file outside git with this SHA-256, from any commit. */
  object(sha256: string): Buffer | undefined
}

export function createRepository(repository: FakeRepository): StoredRepository {
  const { id, type = "model", gated = false, disabled = false, formerIds = [], files } = repository
  const commits = new Map<string, Commit>()
  const names = new Map<string, string>()
  const objects = new Map<string, Buffer>()
  const find = (revision: string) => commits.get(names.get(revision) ?? revision)

  function commit(changes: FakeFiles, branch = "main"): string {
    const parent = find(branch) ?? find("main")
    const tree = new Map(parent?.files)
    for (const [path, file] of Object.entries(changes)) {
      if (file === null) {
        tree.delete(path)
        continue
      }
      const stored = storeFile(file instanceof Uint8Array ? { bytes: file } : file)
      tree.set(path, stored)
      if (stored.lfs !== undefined) objects.set(stored.lfs.oid, stored.bytes)
    }
    const text = [`parent ${parent?.sha}`, ...Array.from(tree, ([path, { oid }]) => `${oid} ${path}`)].join("\n")
    const sha = gitObjectId("commit", `${type} ${id}\n${text}`)
    commits.set(sha, { sha, files: tree })
    names.set(branch, sha)
    return sha
  }

  if (files !== undefined) commit(files)
  return {
    id,
    type,
    private: repository.private ?? false,
    gated,
    disabled,
    formerIds,
    find,
    commit,
    tag: (name, sha) => void names.set(name, sha),
    object: (sha256) => objects.get(sha256),
  }
}

export function repositoryKey(type: RepositoryType, id: string): string {
  return `${type}s/${id}`
}

function storeFile({ bytes: given, lfs = false }: FakeFile): StoredFile {
  // A view: some tests have files of hundreds of MiB.
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (!lfs) return { bytes, oid: gitObjectId("blob", bytes) }
  const oid = createHash("sha256").update(bytes).digest("hex")
  const pointer = lfsPointer(oid, bytes.byteLength)
  return { bytes, oid: gitObjectId("blob", pointer), lfs: { oid, size: bytes.byteLength, pointerSize: pointer.length } }
}
