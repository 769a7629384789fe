import type { FilePath, Storage, StoredFile } from "@assay/storage"
import type { Database } from "@assay/database"
import type { OpenFileset } from "../files/open-fileset.ts"
import type { FindFileset } from "../filesets/fileset-row.ts"
import type { FilesetsContext } from "../filesets-context.ts"
import type { SecretRights } from "../storages/secret-rights.ts"
import { storageOf } from "../storages/storage-configuration.ts"
import { createChangedRevisions, type FindChange } from "./changed-revisions.ts"
import { type ContentDigests, createContentDigests } from "./content-digests.ts"
import { createFileDigests, type FileDigests } from "./file-digests.ts"
import { createCurrentRevisions, type CurrentRevisions, type OpenedFileset } from "./current/current-revisions.ts"
import { createContents } from "./kept/contents.ts"
import { createRevisionFiles, type RevisionFiles } from "./revision-files.ts"
import { revisionFileOf, revisionNotFound, type Revision, type Revisions } from "./revisions.ts"
import { createStoredRevisions, type StoredRevisions } from "./stored-revisions.ts"
import { taggedCommit } from "./kept/tagged-commit.ts"
import { withKnownDigests } from "./with-known-digests.ts"

interface RevisionsContext {
  /** Opens filesets so that changes through this server are seen in their revisions at once. */
  readonly open: OpenFileset
  /** Returns the revisions for a caller with these rights to secrets. */
  readonly revisionsFor: (rights: SecretRights) => Revisions
  readonly stored: StoredRevisions
}

/** The id of a commit or of a change. */
const ID = /^[0-9a-f]{40}$/

export function createRevisions(
  context: FilesetsContext,
  find: FindFileset,
  openFileset: OpenFileset,
  findChange: FindChange,
): RevisionsContext {
  const { database, now, log, defaultStorage } = context
  const stored = createStoredRevisions(database, now)
  const current = createCurrentRevisions(context, stored)
  const content = createContentDigests(context)
  const digests = createFileDigests(content)

  const onFailure = (error: unknown) => log.warn({ err: error }, "Could not store the digest of a file")

  const open: OpenFileset = async (row, rights) => {
    const opened = await openFileset(row, rights)
    // A backend that lists digests needs no digest index.
    const storage = opened.capabilities.checksums
      ? opened
      : withKnownDigests(opened, { filesetId: row.id, digests: content, onFailure })
    return watchWrites(storage, {
      onChange: (path) => current.changed(row.id, path),
      async onWrite(file) {
        if (storage.capabilities.checksums) return
        await content.keep(row.id, revisionFileOf(file)).catch(onFailure)
      },
    })
  }

  const changed = createChangedRevisions(findChange, now)
  const named = (fileset: OpenedFileset, revision: string | undefined) =>
    oldRevision({ database, stored, changed }, fileset, revision)
  const parts: RevisionParts = {
    database,
    named,
    stored,
    current,
    content,
    digests,
    files: createRevisionFiles({ database, current, digests }),
  }
  const revisionsFor = (rights: SecretRights): Revisions =>
    openedRevisions(parts, async (workspace, name) => {
      const row = await find(workspace, name)
      const storage = await open(row, rights)
      const configuration = storageOf(row, defaultStorage)
      const pin = configuration.type === "hub" ? configuration.revision : undefined
      return { id: row.id, workspace, name, storage, pin }
    })
  return { open, revisionsFor, stored }
}

interface RevisionParts {
  readonly database: Database
  /** Returns the revision that a caller names, or undefined for the present one. @throws `not_found` */
  readonly named: (fileset: OpenedFileset, revision: string | undefined) => Promise<Revision | undefined>
  readonly stored: StoredRevisions
  readonly current: CurrentRevisions
  readonly content: ContentDigests
  readonly digests: FileDigests
  readonly files: RevisionFiles
}

/** @param opened opens a fileset for the caller */
function openedRevisions(
  parts: RevisionParts,
  opened: (workspace: string, name: string) => Promise<OpenedFileset>,
): Revisions {
  const { database, stored, named: namedRevision, current, digests, files } = parts
  const contents = createContents({
    database,
    files,
    find: async (fileset, sha256) => (await findByDigest(parts, fileset, new Set([sha256]))).get(sha256) ?? [],
  })
  return {
    async get(workspace, name, named) {
      const fileset = await opened(workspace, name)
      return (await namedRevision(fileset, named)) ?? current.recent(fileset)
    },
    async refresh(workspace, name, title = "") {
      const fileset = await opened(workspace, name)
      current.changed(fileset.id)
      const revision = await current.recent(fileset)
      if (title === "" || revision.title !== "") return revision
      await stored.setTitle(fileset.id, revision.commit, title)
      return (await stored.get(fileset.id, revision.commit)) ?? revision
    },
    async list(workspace, name) {
      const fileset = await opened(workspace, name)
      await current.recent(fileset)
      return stored.list(fileset.id)
    },
    async stat(workspace, name, path, { revision, ...options } = {}) {
      const fileset = await opened(workspace, name)
      return files.stat(fileset, path, await namedRevision(fileset, revision), options)
    },
    async read(workspace, name, path, { revision, ...options } = {}) {
      const fileset = await opened(workspace, name)
      return files.read(fileset, path, await namedRevision(fileset, revision), options)
    },
    digests: async (workspace, name, of) => digests.all(await opened(workspace, name), of),
    async hasContent(workspace, name, sha256) {
      return contents.has(await opened(workspace, name), sha256)
    },
    async readContent(workspace, name, sha256, options = {}) {
      return contents.read(await opened(workspace, name), sha256, options)
    },
    async find(workspace, name, sha256s) {
      if (sha256s.length === 0) return new Map()
      return findByDigest(parts, await opened(workspace, name), new Set(sha256s))
    },
  }
}

interface NamedRevisions {
  readonly database: Database
  readonly stored: StoredRevisions
  readonly changed: ReturnType<typeof createChangedRevisions>
}

async function oldRevision(
  { database, stored, changed }: NamedRevisions,
  fileset: OpenedFileset,
  named: string | undefined,
): Promise<Revision | undefined> {
  if (named === undefined || named === fileset.pin) return undefined
  const id = ID.test(named) ? named : await taggedCommit({ database }, fileset.id, named)
  const revision = id === undefined ? undefined : ((await stored.get(fileset.id, id)) ?? (await changed(fileset, id)))
  if (revision === undefined) throw revisionNotFound(fileset, named)
  return revision
}

/** Returns the files of the present revision that have these digests, by digest. */
async function findByDigest(
  { current, content }: RevisionParts,
  fileset: OpenedFileset,
  wanted: ReadonlySet<string>,
): ReturnType<Revisions["find"]> {
  const revision = await current.recent(fileset)
  const found = [...(await revision.files.withDigests(wanted))]
  for (const { path, version, sha256 } of await content.find(fileset.id, [...wanted])) {
    const file = await revision.get(path)
    if (file?.version === version && file.sha256 === null) found.push({ ...file, sha256 })
  }
  return Map.groupBy(found, ({ sha256 }) => sha256 ?? "")
}

interface WriteWatcher {
  /** Called after each change of a file, also after one that failed half-way. */
  readonly onChange: (path: FilePath) => void
  /** Called after a file was written. */
  readonly onWrite: (file: StoredFile) => Promise<void>
}

/** Returns the same storage, which reports each change to its files. */
function watchWrites(storage: Storage, { onChange, onWrite }: WriteWatcher): Storage {
  const reported = async <T>(path: FilePath, work: Promise<T>): Promise<T> => {
    try {
      return await work
    } finally {
      onChange(path)
    }
  }
  return {
    ...storage,
    async write(path, bytes, options) {
      const file = await reported(path, storage.write(path, bytes, options))
      await onWrite(file)
      return file
    },
    delete: (path, options) => reported(path, storage.delete(path, options)),
  }
}
