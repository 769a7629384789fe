import { createWriteStream } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Client } from "@assay/client"
import { checkResultsFolder, createFolderSink } from "@assay/evaluation"
import type { EvaluationJob } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { localFailure } from "@assay/storage/paths"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { formatBytes } from "@assay/reports/terminal"
import { printable } from "@assay/schemas/printable"
import { writeBytes } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { shownPath } from "./run-end.ts"

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
    await downloadFolder(context, client, await client.evaluation.jobs.get(id, { signal }), folder)
    const shown = shownPath(context, folder)
    return print(context, options, { job: id, folder: shown }, () => `downloaded the results of ${id} to ${shown}\n`)
  }
  const archive = client.evaluation.jobs.download(id, { signal })
  if (name === "-") {
    for await (const piece of archive) await writeBytes(stdout, piece)
    return
  }
  const file = resolve(cwd, name ?? `${id}.zip`)
  const bytes = await writeArchive(archive, file, signal)
  const shown = shownPath(context, file)
  await print(context, options, { job: id, file: shown, bytes }, () => `wrote ${shown} (${formatBytes(bytes)})\n`)
}

/** Downloads the files of a job's results into a folder: `config/` and `results/` as they are in their fileset. */
export async function downloadFolder(
  { signal }: Pick<Context, "signal">,
  client: Client,
  { id, namespace }: Pick<EvaluationJob, "id" | "namespace">,
  folder: string,
): Promise<void> {
  await checkResultsFolder(folder)
  const fileset = `evaluation-${id}`
  const sink = createFolderSink(folder)
  for await (const { path } of client.files.list(namespace, fileset, {}, { signal })) {
    if (path.split("/").includes("..")) {
      throw new AssayError("bad_answer", `The results of ${printable(id)} contain the path '${printable(path)}'.`)
    }
    const { bytes } = await client.files.read(namespace, fileset, path, { signal })
    await sink.write(path, bytes)
  }
}

/** Writes the archive under a temporary name and renames it when it is complete. Returns its size in bytes. */
async function writeArchive(archive: AsyncIterable<Uint8Array>, file: string, signal: AbortSignal): Promise<number> {
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
