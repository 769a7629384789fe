import { resolve } from "node:path"
import { downloadResultFiles, writeResultsArchive } from "@assay/local"
import { formatBytes } from "@assay/reports/terminal"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { writeBytes } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { checkServedJob } from "./check-served-job.ts"
import { shownPath } from "./run-end.ts"

export interface DownloadOptions extends JsonOption {
  readonly out?: string
  readonly force?: boolean
}

/** Runs `assay eval download <job> [file]`: the archive as a file, on stdout (`-`), or its files in a folder. */
export async function downloadResults(
  context: Context,
  id: string,
  name: string | undefined,
  options: DownloadOptions,
): Promise<void> {
  checkServedJob(context, id, "its results are in it")
  const { cwd, signal, stdout } = context
  const { force: overwrite } = options
  const { files, evaluation } = openClient(context)
  if (options.out !== undefined) {
    const folder = resolve(cwd, options.out)
    await downloadResultFiles(files, await evaluation.jobs.get(id, { signal }), folder, { signal, overwrite })
    const shown = shownPath(context, folder)
    return print(context, options, { job: id, folder: shown }, () => `downloaded the results of ${id} to ${shown}\n`)
  }
  const archive = evaluation.jobs.download(id, { signal })
  if (name === "-") {
    for await (const piece of archive) await writeBytes(stdout, piece)
    return
  }
  const file = resolve(cwd, name ?? `${id}.zip`)
  const bytes = await writeResultsArchive(archive, file, { signal, overwrite })
  const shown = shownPath(context, file)
  await print(context, options, { job: id, file: shown, bytes }, () => `wrote ${shown} (${formatBytes(bytes)})\n`)
}
