import { join } from "node:path"
import { AssayError } from "@assay/schemas"
import { openLocalStorage } from "@assay/storage"
import { NO_NOTICES, openDatabase, type SharedDatabase } from "@assay/database"
import { addWorkspace, createTestServer, type DatabaseKind, type TestServer } from "@assay/database/testing"
import { type JobStore, openJobStore } from "../open-job-store.ts"
import type { ResultsFilesets } from "../results-filesets.ts"

/** The jobs of a database, without filesets. */
export interface Registry extends JobStore {
  /** Undefined if no other server uses the database. */
  readonly sharedDatabase: SharedDatabase | undefined
  readonly workspaces: {
    create(workspace: { readonly name: string }): Promise<void>
    /** Removes a workspace with its jobs. */
    remove(name: string): Promise<void>
  }
}

interface TestRegistryOptions {
  readonly now?: () => number
}

export interface TestRegistry extends Omit<TestServer, "closeLater"> {
  readonly registry: Registry
  /** Opens the jobs again on the same database and storage. */
  openAnother(options?: TestRegistryOptions): Promise<Registry>
}

/** Opens the jobs of a new database. Their journals are in the test's folder. */
export async function createTestRegistry(kind: DatabaseKind, options: TestRegistryOptions = {}): Promise<TestRegistry> {
  const { closeLater, ...server } = await createTestServer(kind)
  const open = (others: TestRegistryOptions = {}) => closeLater(openRegistry(server, { ...options, ...others }))
  return { ...server, registry: await open(), openAnother: open }
}

async function openRegistry(
  { database: options, folder, now: ownNow, newId, log }: Omit<TestServer, "closeLater">,
  { now = ownNow }: TestRegistryOptions,
): Promise<Registry> {
  const database = await openDatabase(options, () => {}, { onDeaf: () => log.warn({}, NO_NOTICES) })
  await addWorkspace(database, "default")
  const storage = openLocalStorage({ type: "local", path: join(folder, "storage") }, { newId: () => newId("upload") })
  const openDefaultStorage = async () => storage
  const store = openJobStore({
    database,
    now,
    steadyNow: now,
    newId,
    openDefaultStorage,
    trashMs: 0,
    results: NO_FILESETS,
  })
  if (options.kind === "sqlite") await store.freeLeases()
  return {
    ...store,
    sharedDatabase: database.shared,
    workspaces: {
      create: ({ name }) => addWorkspace(database, name),
      async remove(name) {
        await store.ofWorkspace.removeJournals(name)
        await database.write((queries) => queries.deleteFrom("workspaces").where("name", "=", name).execute())
      },
    },
    async close() {
      await store.close()
      await database.close()
    },
  }
}

/** The registry has the filesets of results, and tests of these. */
const NO_FILESETS: ResultsFilesets = {
  stage: () => Promise.reject(noFilesets()),
  remove: () => Promise.reject(noFilesets()),
  restoreIn: () => Promise.reject(noFilesets()),
  settleRestored: () => Promise.reject(noFilesets()),
}

function noFilesets(): AssayError {
  return new AssayError("unsupported", "These jobs have no filesets.")
}
