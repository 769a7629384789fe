import { posix } from "node:path"
import { AssayError, type StorageConfiguration } from "@assay/schemas"

/**
 * The part of the server's default storage that is a fileset's own.
 * @throws `bad_settings` where the default storage is one that can't be written
 */
export function defaultStorageOf(base: StorageConfiguration, workspace: string, name: string): StorageConfiguration {
  const own = `filesets/${workspace}/${name}`
  // Not by `join`: this stands in every record of every page, and there is nothing to normalise.
  if (base.type === "local") return { ...base, path: `${base.path}/${own}` }
  if (base.type === "objstore") return { ...base, prefix: posix.join(base.prefix ?? "", own) }
  throw new AssayError("bad_settings", `Storage of type '${base.type}' is read-only and can't be the default storage.`)
}
