import { dirname, join, resolve } from "node:path"
import type { SideOfBundle } from "@assay/evidence"
import { AssayError, isLocalPath, printable } from "@assay/schemas"
import { runRecord } from "../runs/list-runs.ts"
import type { FolderSide } from "./read-folder-side.ts"

/** Results that are read for a bundle. They stay on this machine until they are closed. */
export type ReadSide = FolderSide & AsyncDisposable

/** Reads the results that a name means. @throws `not_found`, `bad_document` */
export type OpenSide = (name: string) => Promise<ReadSide>

/** The decisions of a bundle besides the gates of its results. */
export interface SideOptions {
  readonly gate?: readonly string[]
  readonly against?: string
  readonly margin?: number
  readonly allowChanged?: boolean
}

/** All results of a bundle. */
export interface SidesToBundle extends AsyncDisposable {
  /** The candidate, its baseline, and the results that gates of its configuration compare with. */
  readonly inputs: readonly SideOfBundle[]
  /** Absolute paths of their rows. */
  readonly rowFiles: readonly string[]
  readonly margin: number
  readonly allowChanged: boolean
  /** Gates of the command line, which the results do not have. */
  readonly gates: readonly string[]
}

/**
 * Reads the results of a bundle. Their folder has the results that they were compared with, unless the options name others.
 * @throws `not_found`, `bad_document`, also if the folder of the baseline has the results of another job by now
 */
export async function readSides(open: OpenSide, jobOrFolder: string, options: SideOptions): Promise<SidesToBundle> {
  const opened = new AsyncDisposableStack()
  try {
    const candidate = opened.use(await open(jobOrFolder))
    const { against, gates = [] } = candidate.decisions
    const read: { readonly role: SideOfBundle["role"]; readonly side: ReadSide; readonly name?: string }[] = [
      { role: "candidate", side: candidate },
    ]
    const named = options.against ?? against?.results
    if (named !== undefined) {
      const side = opened.use(await open(named))
      if (options.against === undefined && against !== undefined) checkJob(side, against.job, named)
      read.push({ role: "baseline", side })
    }
    // The list grows: results that gates compare with can have such gates, too.
    for (const { side: own } of read) {
      for (const name of baselinesOfGates(own)) {
        if (read.some((one) => one.role === "reference" && one.name === name)) continue
        const side = opened.use(await open(await locate(own, name)))
        read.push({ role: "reference", side, name })
      }
    }
    return {
      inputs: read.map(({ role, side, name = side.input.name }) => ({ ...side.input, role, name })),
      rowFiles: read.map(({ side }) => join(side.folder, "results", "rows.jsonl")),
      margin: options.margin ?? against?.margin ?? 0,
      allowChanged: options.allowChanged ?? against?.allow_changed ?? false,
      gates: [...gates, ...(options.gate ?? [])],
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** @throws `bad_document` */
function checkJob({ input: { job } }: ReadSide, id: string, name: string): void {
  if (job.id === id) return
  const message = `'${printable(name)}' has the results of ${printable(job.id)} by now, and these were compared with ${printable(id)}: name its results with --against.`
  throw new AssayError("bad_document", message)
}

/** Returns the names of the results that gates of the configuration compare with, each once. */
function baselinesOfGates({ input: { job } }: ReadSide): readonly string[] {
  return [...new Set((job.config.params?.gates ?? []).flatMap(({ against }) => against ?? []))]
}

/** Returns where results are that a gate names: paths are relative to the file of the run. */
async function locate({ folder }: ReadSide, name: string): Promise<string> {
  if (!isLocalPath(name)) return name
  const record = await runRecord.read(folder)
  return record?.file == null ? name : resolve(dirname(record.file), name)
}
