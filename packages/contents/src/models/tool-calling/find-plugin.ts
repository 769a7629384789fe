import type { Storage } from "@assay/storage"

/** Opens the fileset of an address with the caller's rights. Returns null if it does not exist. */
export type OpenFileset = (address: { readonly workspace: string; readonly name: string }) => Promise<Storage | null>

/** Returns why `reference` does not name a fileset with a plugin, as the end of a sentence. Returns null if it does. */
export async function pluginFault(
  reference: string,
  openFileset: OpenFileset,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const [workspace = "", name = ""] = reference.split("/")
  const storage = await openFileset({ workspace, name })
  if (storage === null) return `names the fileset '${reference}', which does not exist`
  for await (const file of storage.list({ signal })) {
    if (file.path.endsWith(".py")) return null
  }
  return `names the fileset '${reference}', which holds no plugin: no file that ends in .py`
}

/** Returns the warning about a plugin that the operator does not allow. */
export function pluginNotAllowed(plugin: string): string {
  return `The tool call plugin '${plugin}' is left out: the operator of this server allows none.`
}
