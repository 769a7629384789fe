import { createWriteStream } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Context } from "../../../context.ts"
import { openClient } from "../../../open-client.ts"
import { formatBytes } from "../../../output/format-bytes.ts"
import { writeBytes } from "../../../output/write-text.ts"
import { localFailure } from "@assay/storage/paths"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import { shownPath } from "../screen/shown-path.ts"
import { fetchResults } from "./fetch-results.ts"

export interface DownloadOptions extends JsonOption {
  readonly folder?: string
}

/** `assay eval download <job> [file]`: the archive as a file, on stdout (`-`), or its files in a folder. */
export async function downloadResults(
  context: Context,
  id: string,
  name: string | undefined,
  options: DownloadOptions,
): Promise<void> {
  const { cwd, signal, stdout } = context
  const client = openClient(context)
  if (options.folder !== undefined) {
    const folder = resolve(cwd, options.folder)
    await fetchResults(context, client, await client.evaluation.jobs.get(id, { signal }), folder)
    const shown = shownPath(context, folder)
    return print(context, options, { job: id, folder: shown }, () => `fetched the results of ${id} to ${shown}\n`)
  }
  const archive = client.evaluation.jobs.download(id, { signal })
  if (name === "-") {
    for await (const piece of archive) await writeBytes(stdout, piece)
    return
  }
  const file = resolve(cwd, name ?? `${id}.zip`)
  const bytes = await keep(archive, file, signal)
  const shown = shownPath(context, file)
  await print(context, options, { job: id, file: shown, bytes }, () => `wrote ${shown} (${formatBytes(bytes)})\n`)
}

/** The file is there when it is whole. */
async function keep(archive: AsyncIterable<Uint8Array>, file: string, signal: AbortSignal): Promise<number> {
  const partial = `${file}.assay-partial`
  let bytes = 0
  async function* counted(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of archive) {
      bytes += piece.length
      yield piece
    }
  }
  try {
    await mkdir(dirname(file), { recursive: true })
    await pipeline(Readable.from(counted()), createWriteStream(partial), { signal })
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw localFailure(error, "write", file)
  }
  return bytes
}
