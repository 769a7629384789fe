import type { CallerRegistry, Registry } from "@assay/registry"
import { AssayError } from "@assay/schemas"
import type { SourceScope } from "./fileset-source.ts"
import { loadEvaluation } from "../load-evaluation.ts"
import { parentFolderOf } from "../results-place.ts"

export interface ResultsPlace extends SourceScope {
  readonly files: CallerRegistry
  /** Absent or null: a new fileset on the default storage. */
  readonly outputFilesUrl?: string | null | undefined
  readonly newId: (prefix: string) => string
  readonly signal: AbortSignal
}

/** Writes a file where the results will go, and removes it. @throws what stands in the way */
export async function probeResults(registry: Pick<Registry, "checkReady">, place: ResultsPlace): Promise<void> {
  const { files, namespace, rights, outputFilesUrl, newId, signal } = place
  if (outputFilesUrl === undefined || outputFilesUrl === null) return registry.checkReady()
  const { parseFilesUrl } = await loadEvaluation()
  const {
    workspace,
    name,
    path: folder,
  } = parseFilesUrl(outputFilesUrl, namespace, { output_files_url: outputFilesUrl })
  if (workspace !== namespace && !rights.sees(workspace))
    throw new AssayError("not_found", `Workspace '${workspace}' not found`)
  if (workspace !== namespace && !rights.edits(workspace)) {
    throw new AssayError(
      "forbidden",
      `Results can't be written to workspace '${workspace}': this needs the role editor there.`,
    )
  }
  await files.files.checkWritable(workspace, name)
  // As deep as the results will lie: a file may have the name of one of the folders.
  const path = `${parentFolderOf(folder)}.${newId("probe")}/attempt-1/results/results.json`
  await files.files.write(workspace, name, path, empty(), { signal })
  await files.files.remove(workspace, name, path, { signal })
}

async function* empty(): AsyncGenerator<Uint8Array> {}
