import pMap from "p-map"
import { isAssayError, type AssayError } from "@assay/schemas/errors"
import type { Client } from "@assay/client"
import { ERROR_CATALOGUE, type Fileset } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { formatCount } from "@assay/reports/terminal"
import { find, type Finding } from "./finding.ts"

const PARALLEL = 8

/**
 * Opens every fileset with a storage of its own, lists it and reads one byte. The server itself checks its default storage, so filesets
 * there are only counted.
 */
export async function checkFilesets(context: Context): Promise<readonly Finding[]> {
  const client = openClient(context)
  const failed: Finding[] = []
  const counts = { opened: 0, usual: 0 }

  async function open(fileset: Fileset): Promise<void> {
    if (isAtHome(fileset)) {
      counts.usual += 1
      return
    }
    counts.opened += 1
    const { workspace, name, storage } = fileset
    try {
      await readOneByte(client, fileset, context.signal)
    } catch (error) {
      if (!isAssayError(error)) throw error
      failed.push({ name: "fileset", ok: false, detail: `${workspace}/${name} (${storage.type}): ${explain(error)}` })
    }
  }

  const all = await find("filesets", async () => {
    const filesets = client.filesets.list("-", { sort: "name" }, { signal: context.signal })
    await pMap(filesets, open, { concurrency: PARALLEL })
    const summary = `${formatCount(counts.opened - failed.length, "backend")} of ${counts.opened} opened`
    return `${summary}, ${formatCount(counts.usual, "fileset")} on the server's own storage`
  })
  return [{ ...all, ok: all.ok && failed.length === 0 }, ...failed.toSorted((a, b) => (a.detail < b.detail ? -1 : 1))]
}

/** Returns whether the fileset is where the server puts filesets without a storage of their own. */
function isAtHome({ storage, workspace, name }: Fileset): boolean {
  const own = `filesets/${workspace}/${name}`
  if (storage.type === "local") return storage.path.endsWith(`/${own}`)
  return storage.type === "objstore" && (storage.prefix ?? "").endsWith(own)
}

async function readOneByte(client: Client, { workspace, name }: Fileset, signal: AbortSignal): Promise<void> {
  const { data } = await client.files.page(workspace, name, { limit: 20 }, { signal })
  const file = data.find(({ size }) => size > 0)
  if (file === undefined) return
  const { bytes } = await client.files.read(workspace, name, file.path, { range: { start: 0, end: 0 }, signal })
  for await (const _piece of bytes) {
    // One byte is enough.
  }
}

function explain(error: AssayError): string {
  return `${error.message}\n${ERROR_CATALOGUE[error.code].remedy}`
}
