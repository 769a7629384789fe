import type { Storage, StoredFile } from "@assay/storage"
import type { OpenFileset } from "../files/open-fileset.ts"
import type { FindFileset } from "../filesets/find-fileset.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { SecretRights } from "../registry.ts"
import { storageOf } from "../storages/storage-configuration.ts"
import { createContentDigests } from "./content-digests.ts"
import { createCurrentTrees } from "./current-revisions.ts"
import { createFileDigests } from "./file-digests.ts"
import { revisionNotFound } from "./revision-errors.ts"
import { createRevisionFiles } from "./revision-files.ts"
import { treeFileOf } from "./revision-of.ts"
import type { Tree, Trees } from "./revisions.ts"
import { createKeptTrees } from "./stored-revisions.ts"
import { withKnownDigests } from "./with-known-digests.ts"

export interface TreesContext {
  /** Opens filesets so that what is written to them shows in their trees at once. */
  readonly open: OpenFileset
  /** For a caller who may use secrets where the rights say so. */
  readonly treesFor: (rights: SecretRights) => Trees
}

const COMMIT = /^[0-9a-f]{40}$/

export function createTrees(context: RegistryContext, find: FindFileset, openFileset: OpenFileset): TreesContext {
  const { database, log, defaultStorage } = context
  const kept = createKeptTrees(database)
  const current = createCurrentTrees(context, kept)
  const content = createContentDigests(context)
  const digests = createFileDigests(content)
  const files = createRevisionFiles(current, digests)

  const onFailure = (error: unknown) => log.warn({ err: error }, "Could not keep the digest of a file")
  const learnt = (storage: Storage, filesetId: string) =>
    withKnownDigests(storage, { filesetId, digests: content, onFailure })

  const open: OpenFileset = async (row, rights) => {
    const opened = await openFileset(row, rights)
    // What tells the digests of all its files has nothing to learn.
    const storage = opened.capabilities.checksums ? opened : learnt(opened, row.id)
    return watchWrites(storage, {
      onChange: () => current.changed(row.id),
      async onWrite(file) {
        // What others list with its digest needs no note of ours.
        if (storage.capabilities.checksums) return
        await content.keep(row.id, treeFileOf(file)).catch(onFailure)
      },
    })
  }

  /** The tree that a revision names; undefined for what is there now. @throws `not_found` */
  async function oldTree(fileset: OpenedFileset, revision: string | undefined): Promise<Tree | undefined> {
    if (revision === undefined || revision === fileset.pin) return undefined
    const tree = COMMIT.test(revision) ? await kept.get(fileset.id, revision) : undefined
    if (tree === undefined) throw revisionNotFound(fileset, revision)
    return tree
  }

  const treesFor = (rights: SecretRights): Trees => {
    async function opened(workspace: string, name: string): Promise<OpenedFileset> {
      const row = await find(workspace, name)
      const storage = await open(row, rights)
      const configuration = storageOf(row, defaultStorage)
      const pin = configuration.type === "hub" ? configuration.revision : undefined
      return { id: row.id, workspace, name, storage, pin }
    }

    return {
      async get(workspace, name, revision) {
        const fileset = await opened(workspace, name)
        return (await oldTree(fileset, revision)) ?? current.recent(fileset)
      },
      async look(workspace, name, title = "") {
        const fileset = await opened(workspace, name)
        current.changed(fileset.id)
        const tree = await current.recent(fileset)
        if (title === "" || tree.title !== "") return tree
        await kept.entitle(fileset.id, tree.commit, title)
        return (await kept.get(fileset.id, tree.commit)) ?? tree
      },
      async list(workspace, name) {
        const fileset = await opened(workspace, name)
        await current.recent(fileset)
        return kept.list(fileset.id)
      },
      async stat(workspace, name, path, revision, options = {}) {
        const fileset = await opened(workspace, name)
        return files.stat(fileset, path, await oldTree(fileset, revision), options)
      },
      async read(workspace, name, path, revision, options = {}) {
        const fileset = await opened(workspace, name)
        return files.read(fileset, path, await oldTree(fileset, revision), options)
      },
      digests: async (workspace, name, files) => digests.all(await opened(workspace, name), files),
      async find(workspace, name, sha256) {
        const fileset = await opened(workspace, name)
        const tree = await current.recent(fileset)
        const told = tree.files.filter((file) => file.sha256 === sha256)
        const read = await content.having(fileset.id, sha256)
        const known = read.flatMap(({ path, version }) => {
          const file = tree.get(path)
          return file?.version === version && file.sha256 === null ? [file] : []
        })
        return [...told, ...known]
      },
    }
  }
  return { open, treesFor }
}

/** A fileset whose storage is open for a caller. */
export interface OpenedFileset {
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly storage: Storage
  /** The revision of a hub that its storage is pinned to. */
  readonly pin: string | undefined
}

export interface WriteWatcher {
  /** A file changed: now it begins to show, unless it failed half-way. */
  readonly onChange: () => void
  /** A file was written. */
  readonly onWrite: (file: StoredFile) => Promise<void>
}

/** The same storage, which tells of each change to its files. */
export function watchWrites(storage: Storage, { onChange, onWrite }: WriteWatcher): Storage {
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } finally {
      onChange()
    }
  }
  return {
    ...storage,
    async write(path, bytes, options) {
      const file = await told(storage.write(path, bytes, options))
      await onWrite(file)
      return file
    },
    delete: (path, options) => told(storage.delete(path, options)),
  }
}
