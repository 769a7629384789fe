import { join, relative, resolve } from "node:path"
import process from "node:process"
import { ENCRYPTION_KEYS_FILE } from "../settings/encryption-keys.ts"
import type { Settings } from "../settings/settings-schema.ts"
import { findLooseModes, type LooseMode, type PlacesToCheck } from "../../../../packages/registry/src/data-folder/loose-modes.ts"

/** The file of hashed tokens that these settings name. */
export function tokensFile(settings: Settings, cwd: string): string {
  return resolve(cwd, settings.ASSAY_TOKENS_FILE ?? join(settings.ASSAY_DATA_DIR, "tokens.json"))
}

/** The files and folders of this machine that a server with these settings keeps its own in. */
export function settingsPlaces(settings: Settings, cwd: string): Omit<PlacesToCheck, "uid"> {
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
  const storage = settings.ASSAY_DEFAULT_STORAGE
  const storageFolder = storage?.type === "local" ? storage.path : undefined
  return {
    dataFolder,
    tokensFile: tokensFile(settings, cwd),
    keysFile: join(dataFolder, ENCRYPTION_KEYS_FILE),
    ...(storageFolder === undefined || isWithin(dataFolder, storageFolder) ? {} : { storageFolder }),
  }
}

/** What others than the user of this process could read or change of a server with these settings. */
export function looseModesOf(settings: Settings, cwd: string): readonly LooseMode[] {
  return findLooseModes({ ...settingsPlaces(settings, cwd), uid: process.getuid?.() })
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === "" || (!way.startsWith("..") && !way.startsWith("/"))
}
