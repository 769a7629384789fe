import { ERROR_CATALOGUE, type Fileset } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import pMap from "p-map"
import type { Client } from "../create-client.ts"

export interface CheckOptions {
  readonly signal: AbortSignal
  /** Receives what is wrong, which begins with the name of the fileset or endpoint. */
  readonly onFault: (fault: string) => void
}

/** The filesets that were checked. */
export interface CheckedBackends {
  /** Number of filesets with a storage of their own. */
  readonly own: number
  /** Number of filesets on the storage of the server. */
  readonly usual: number
}

const PARALLEL = 8

/**
 * Opens every fileset with a storage of its own, lists it and reads one byte. The server itself checks its default storage, so filesets
 * there are only counted.
 */
export async function checkBackends(client: Client, { signal, onFault }: CheckOptions): Promise<CheckedBackends> {
  const counts = { own: 0, usual: 0 }

  async function check(fileset: Fileset): Promise<void> {
    if (isOnServer(fileset)) {
      counts.usual += 1
      return
    }
    counts.own += 1
    const { workspace, name, storage } = fileset
    try {
      await readOneByte(client, fileset, signal)
    } catch (error) {
      if (!isAssayError(error)) throw error
      onFault(`${workspace}/${name} (${storage.type}): ${error.message}\n${ERROR_CATALOGUE[error.code].remedy}`)
    }
  }

  await pMap(client.filesets.list("-", { sort: "name" }, { signal }), check, { concurrency: PARALLEL })
  return counts
}

/** Returns whether the fileset is where the server puts filesets without a storage of their own. */
function isOnServer({ storage, workspace, name }: Fileset): boolean {
  const own = `filesets/${workspace}/${name}`
  if (storage.type === "local") return storage.path.endsWith(`/${own}`)
  return storage.type === "objstore" && (storage.prefix ?? "").endsWith(own)
}

async function readOneByte({ files }: Client, { workspace, name }: Fileset, signal: AbortSignal): Promise<void> {
  const { data } = await files.page(workspace, name, { limit: 20 }, { signal })
  const file = data.find(({ size }) => size > 0)
  if (file === undefined) return
  const { bytes } = await files.read(workspace, name, file.path, { range: { start: 0, end: 0 }, signal })
  for await (const _piece of bytes) {
    // One byte is enough.
  }
}
