import { openStorage } from "@assay/storage"
import { createBackground } from "./background.ts"
import { createCheckReady } from "./check-ready.ts"
import { openDatabase } from "./database/open-database.ts"
import { createDigestIndexes } from "./files/digest-indexes.ts"
import { createFiles } from "./files/create-files.ts"
import { createOpenFileset } from "./files/open-fileset.ts"
import { sweepUploads } from "./files/sweep-uploads.ts"
import { createFilesets } from "./filesets/create-filesets.ts"
import { createFindFileset } from "./filesets/find-fileset.ts"
import { settleTrash } from "./filesets/settle-trash.ts"
import { openTrash } from "./filesets/trash.ts"
import { createProjects } from "./projects/create-projects.ts"
import type { RegistryContext } from "./registry-context.ts"
import type { RegistryOptions } from "./registry-options.ts"
import type { Registry } from "./registry.ts"
import { createEnvelope } from "./secrets/envelope.ts"
import { createKeyRing } from "./secrets/key-ring.ts"
import { createSecrets } from "./secrets/create-secrets.ts"
import { makeBuiltInWorkspaces } from "./workspaces/built-in-workspaces.ts"
import { createWorkspaces } from "./workspaces/create-workspaces.ts"

/**
 * Opens a registry. Its database is made where it is missing and brought to the newest schema; what a crash left behind
 * is cleared away in the background.
 * @throws `bad_settings`; `storage_not_built` for a default storage without an adapter
 */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const { now, newId, log = SILENT } = options
  const envelope = createEnvelope(createKeyRing(options.encryptionKeys), options.randomBytes)
  const { storage, configuration: defaultStorage } = await openStorage(options.defaultStorage)
  const root = defaultStorage.type === "local" ? defaultStorage.path : undefined
  const database = await openDatabase(options.database, (error) =>
    log.warn({ err: error }, "A connection to the database broke"),
  )
  const context: RegistryContext = {
    database,
    now,
    newId,
    log,
    background: createBackground(log),
    defaultStorage,
    trash: root === undefined ? undefined : openTrash(root),
    localRoots: { allowed: options.allowedLocalRoots, reserved: root },
  }
  try {
    await makeBuiltInWorkspaces(context)
  } catch (error) {
    await database.close()
    throw error
  }
  clearAway(context, options)

  const find = createFindFileset(context)
  const digests = createDigestIndexes(database)
  return {
    workspaces: createWorkspaces(context),
    projects: createProjects(context),
    secrets: createSecrets(context, envelope),
    filesets: createFilesets(context, find),
    files: createFiles(context, find, createOpenFileset(context, digests)),
    checkReady: createCheckReady(context, storage),
    async close() {
      await context.background.end()
      await database.close()
    },
  }
}

const SILENT = { warn: () => {} }

const HOUR = 3_600_000

/** Sets right what a crash left behind. Where servers share a database, another one can be at work with files. */
function clearAway(context: RegistryContext, { database, now }: RegistryOptions): void {
  const { background, trash } = context
  const olderThan = database.kind === "sqlite" ? now() : now() - HOUR
  background.start("settle what removals left in the trash", async () =>
    settleTrash(context, (await trash?.ids()) ?? []),
  )
  background.start("sweep what uploads left behind", (signal) => sweepUploads(context, { olderThan, signal }))
}
