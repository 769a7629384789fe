import { join, relative, resolve } from "node:path"
import process from "node:process"
import { ENCRYPTION_KEYS_FILE } from "@assay/registry"
import { findLooseModes, type LooseMode } from "@assay/backup"
import type { Settings } from "./settings-schema.ts"

/** Returns the file of hashed tokens that the settings name. */
export function tokensFile(settings: Settings, cwd: string): string {
  return resolve(cwd, settings.ASSAY_TOKENS_FILE ?? join(settings.ASSAY_DATA_DIR, "tokens.json"))
}

/** Returns the folder of the default storage, or undefined if the default storage is an object store. */
export function localStorageFolder(settings: Settings, dataFolder: string): string | undefined {
  const storage = settings.ASSAY_DEFAULT_STORAGE
  if (storage === undefined) return resolve(dataFolder, "storage")
  return storage.type === "local" ? resolve(storage.path) : undefined
}

/** Returns the server's files and folders that users other than the one of this process could read or change. */
export function looseModesOf(settings: Settings, cwd: string): readonly LooseMode[] {
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
  const storage = settings.ASSAY_DEFAULT_STORAGE
  const isOutside = storage?.type === "local" && !isWithin(dataFolder, storage.path)
  return findLooseModes({
    dataFolder,
    tokensFile: tokensFile(settings, cwd),
    keysFile: join(dataFolder, ENCRYPTION_KEYS_FILE),
    storageFolder: isOutside ? storage.path : undefined,
    uid: process.getuid?.(),
  })
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === "" || (!way.startsWith("..") && !way.startsWith("/"))
}
