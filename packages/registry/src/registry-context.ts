import type { StorageConfiguration } from "@assay/schemas"
import type { Background } from "./background.ts"
import type { Database } from "./database/database.ts"
import type { LocalRoots } from "./filesets/local-roots.ts"
import type { Trash } from "./filesets/trash.ts"

/** Where the registry tells what it can't answer with. A pino logger is one. */
export interface RegistryLog {
  warn(context: Readonly<Record<string, unknown>>, message: string): void
}

/** What every part of the registry works with. */
export interface RegistryContext {
  readonly database: Database
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** A new id that begins with `prefix` and a hyphen. */
  readonly newId: (prefix: string) => string
  readonly log: RegistryLog
  readonly background: Background
  /** Where filesets go that name no storage of their own, each into a folder of its own. */
  readonly defaultStorage: StorageConfiguration
  /** Of the default storage, where that is local. */
  readonly trash: Trash | undefined
  readonly localRoots: LocalRoots
}
