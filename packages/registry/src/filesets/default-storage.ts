import type { LocalStorageConfiguration, ObjstoreStorageConfiguration } from "@assay/schemas"

/** The server's default storage: one that can be written. */
export type DefaultStorage = LocalStorageConfiguration | ObjstoreStorageConfiguration

/** The part of the server's default storage that is a fileset's own. */
export function defaultStorageOf(base: DefaultStorage, workspace: string, name: string): DefaultStorage {
  const own = `filesets/${workspace}/${name}`
  // Not by `join`: this stands in every record of every page, and keys of an object store are not normalised.
  if (base.type === "local") return { ...base, path: `${base.path}/${own}` }
  const { prefix = "" } = base
  return { ...base, prefix: prefix === "" || prefix.endsWith("/") ? prefix + own : `${prefix}/${own}` }
}
