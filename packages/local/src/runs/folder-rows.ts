import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { renderRowRequests } from "@assay/evaluation"
import { createJobRows, rowLines } from "@assay/results"
import { printable, rowAttemptOf, type RowAttempts, type ScoredRowPage } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { findLocalGuardrail, type LocalPorts } from "../local-environment.ts"
import { readStoredJob } from "./results-folder.ts"
import { readRunRecord } from "./run-record.ts"

/** A folder with results: its absolute path, and how the user wrote it. */
export interface NamedFolder {
  readonly path: string
  readonly name: string
}

/** The rows of results on this machine, with an index that exists until it is closed. */
export interface FolderRows extends AsyncDisposable {
  /** Reads a page of rows. @throws `bad_filter`, `unknown_filter_field`, `invalid_request` */
  page(query: Parameters<typeof rowLines.page>[2]): Promise<ScoredRowPage>
  /** Reads every attempt at a row, with the requests about it rendered again. @throws `not_found` */
  row(
    address: { readonly task: string; readonly index: number },
    ports: Pick<LocalPorts, "getGuardrail" | "readGuardrailFile">,
  ): Promise<RowAttempts>
}

/**
 * Opens the rows of results on this machine. The first page reads all of them.
 * @param against the results whose rows are shown beside these
 * @throws `bad_document`, `not_found` if a folder does not contain results
 */
export async function openFolderRows(folder: NamedFolder, against?: NamedFolder): Promise<FolderRows> {
  const job = await readStoredJob(folder.path, folder.name)
  if (against !== undefined) await readStoredJob(against.path, against.name)
  const index = createJobRows()
  const scratch = await mkdtemp(join(tmpdir(), "assay-rows-"))
  const linesOf = ({ path, name }: NamedFolder, own: string) =>
    rowLines.ofFile(name, join(scratch, own), join(path, "results", "rows.jsonl"))
  const lines = linesOf(folder, "rows")
  const others = against === undefined ? undefined : linesOf(against, "against")

  return {
    page: (query) => rowLines.page(index, { job: lines, against: others }, query),
    async row({ task, index: position }, ports) {
      const attempts = await index.row(lines, task, position)
      if (attempts.length === 0) {
        const message = `'${printable(folder.name)}' has no row ${position} of task '${printable(task.slice(0, 200))}'.`
        throw new AssayError("not_found", message, { context: { remedy: "Name a row as the list of rows shows it." } })
      }
      const file = (await readRunRecord(folder.path))?.file ?? null
      const scope = { folder: file === null ? folder.path : dirname(file), workspace: job.namespace }
      const requests = await renderRowRequests(job, attempts, {
        getGuardrail: (name) => findLocalGuardrail(ports, scope, name),
      })
      return {
        task,
        row_index: position,
        attempts: attempts.map((row, attempt) => rowAttemptOf(row, requests[attempt] ?? [])),
      }
    },
    async [Symbol.asyncDispose]() {
      await index.close()
      await rm(scratch, { recursive: true, force: true })
    },
  }
}
