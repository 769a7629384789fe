import { BUILT_IN_WORKSPACES, type SecretAddress } from "@assay/schemas"
import { loadAdapter } from "@assay/storage"
import { openDatabase } from "@assay/database"
import { addWorkspace, type DatabaseKind } from "@assay/database/testing"
import type { FilesetsOptions, FilesetsPorts } from "../filesets-options.ts"
import { type FilesetStore, openFilesets } from "../open-filesets.ts"
import { secretNotReadable } from "../storages/secret-rights.ts"
import { checkDefaultStorage } from "../storages/storage-configuration.ts"
import { checkDatabaseNotLost } from "../storages/storage-id.ts"
import { createTestOptions, type TestFilesetsOptions, type TestOptions } from "./test-options.ts"

/** The secrets that storages of filesets name, in memory. */
export interface TestSecrets {
  create(workspace: string, secret: { readonly name: string; readonly value: string }): Promise<void>
  update(workspace: string, name: string, secret: { readonly value: string }): Promise<void>
  remove(workspace: string, name: string, options?: { readonly force?: boolean }): Promise<void>
  resolve(workspace: string, name: string): Promise<string>
  /** Lets the next secret be unreadable, although its version does not change. */
  failOnce(): void
}

/** Filesets, and the workspaces and secrets that they need. */
export interface Registry extends FilesetStore {
  readonly secrets: TestSecrets
  readonly workspaces: {
    create(workspace: { readonly name: string }): Promise<void>
    /** Removes a workspace and its filesets in one transaction. */
    remove(name: string, options?: { readonly cascade: boolean }): Promise<void>
  }
}

export interface TestRegistry extends Omit<TestOptions, "closeLater"> {
  readonly registry: Registry
  /** Opens the filesets again on the same database and storage. */
  openAnother(overrides?: Partial<TestFilesetsOptions>): Promise<Registry>
}

/** Opens filesets on a new database and in a new folder. */
export async function createTestRegistry(
  kind: DatabaseKind,
  overrides: Partial<FilesetsOptions> = {},
): Promise<TestRegistry> {
  const { closeLater, ...test } = await createTestOptions(kind)
  const options = { ...test.options, ...overrides }
  const secrets = createTestSecrets()
  return {
    ...test,
    options,
    registry: await closeLater(openRegistry(options, secrets)),
    openAnother: (others = {}) => closeLater(openRegistry({ ...options, ...others }, secrets)),
  }
}

type Secrets = TestSecrets & Pick<FilesetsPorts, "resolveSecret" | "secretVersions">

function createTestSecrets(): Secrets {
  const kept = new Map<string, { readonly value: string; readonly version: number }>()
  let version = 0
  let isFailing = false
  const keyOf = (workspace: string, name: string) => `${workspace}/${name}`
  const set = (workspace: string, name: string, value: string) =>
    void kept.set(keyOf(workspace, name), { value, version: (version += 1) })
  const find = ({ workspace, name }: SecretAddress) => {
    const found = kept.get(keyOf(workspace, name))
    if (found === undefined) throw secretNotReadable(workspace, name)
    return found
  }
  return {
    create: async (workspace, { name, value }) => set(workspace, name, value),
    update: async (workspace, name, { value }) => set(workspace, name, value),
    remove: async (workspace, name) => void kept.delete(keyOf(workspace, name)),
    resolve: async (workspace, name) => find({ workspace, name }).value,
    failOnce: () => void (isFailing = true),
    async resolveSecret(secret) {
      if (!isFailing) return find(secret).value
      isFailing = false
      throw secretNotReadable(secret.workspace, secret.name)
    },
    secretVersions: async (secrets) => secrets.map((secret) => find(secret).version).join(" "),
  }
}

async function openRegistry(options: TestFilesetsOptions, secrets: Secrets): Promise<Registry> {
  const { guest = false } = options
  const defaultStorage = checkDefaultStorage(options.defaultStorage)
  await loadAdapter(defaultStorage.type)
  if (!guest) await checkDatabaseNotLost(options.database, defaultStorage)
  const database = await openDatabase(options.database, () => {}, { guest })
  const ports = { database, isShared: options.database.kind === "postgres", ...secrets }
  try {
    if (!guest) for (const name of BUILT_IN_WORKSPACES) await addWorkspace(database, name)
    const store = await openFilesets(options, ports)
    return {
      ...store,
      secrets,
      workspaces: {
        create: ({ name }) => addWorkspace(database, name),
        remove: (name) => removeWorkspace(store, name),
      },
      async close() {
        await store.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function removeWorkspace({ removal }: FilesetStore, workspace: string): Promise<void> {
  let deleteDropped = () => {}
  await removal.remove((filesets) => filesets.where("workspace", "=", workspace), {
    after: async (queries) => {
      deleteDropped = await removal.dropOfWorkspace(queries, workspace)
      await queries.deleteFrom("workspaces").where("name", "=", workspace).execute()
    },
  })
  deleteDropped()
}
