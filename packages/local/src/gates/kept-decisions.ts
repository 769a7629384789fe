import { rm } from "node:fs/promises"
import { join, relative, resolve } from "node:path"
import { Type, type Static } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { isLocalPath, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { localFailure, readRegularFile, systemCode, writeWholeFile } from "@assay/storage"

const KeptDecisions = Type.Object({
  /** Gates of the command line that are not in `config/job.json`, such as those of a job of a server: `task.metric.score>= 0.8`. */
  gates: Type.Optional(Type.Array(Type.String())),
  /** The results of the comparison. */
  against: Type.Optional(
    Type.Object({
      /** A folder, relative to the folder of the results, or the id of a job of a server. */
      results: Type.String(),
      /** The id of their job, which shows whether other results are in the folder by now. */
      job: Type.String(),
      margin: Type.Number({ minimum: 0 }),
      allow_changed: Type.Boolean(),
    }),
  ),
})
/** The decisions about results that were asked for on the command line. */
export type KeptDecisions = Static<typeof KeptDecisions>

const FILE = join("results", "decisions.json")

/**
 * Keeps what was decided about the results in a folder, for those who decide it again. The path of other results is absolute. Earlier decisions are
 * deleted, because they were about other results.
 */
async function keep(folder: string, { gates, against }: KeptDecisions): Promise<void> {
  const file = join(folder, FILE)
  if (gates === undefined && against === undefined) return rm(file, { force: true })
  const kept = {
    ...(gates === undefined ? {} : { gates }),
    ...(against === undefined ? {} : { against: { ...against, results: shownFrom(folder, against.results) } }),
  }
  await writeWholeFile(file, [`${JSON.stringify(kept, null, 2)}\n`])
}

/** Returns a path that stays right if both folders are moved together. The id of a job stays as it is. */
function shownFrom(folder: string, results: string): string {
  return isLocalPath(results) ? `./${relative(folder, results)}` : results
}

/** Reads the decisions about the results in a folder, with the absolute path of other results. Empty if there are none. @throws `bad_document` */
async function read(folder: string): Promise<KeptDecisions> {
  const file = join(folder, FILE)
  let text: string
  try {
    text = await readRegularFile(file)
  } catch (error) {
    if (systemCode(error) === "ENOENT") return {}
    throw localFailure(error, "read", file)
  }
  const kept = parse(text)
  if (kept === undefined) {
    const message = `'${printable(file)}' does not contain decisions: run the evaluation again, or delete the file.`
    throw new AssayError("bad_document", message)
  }
  const { against } = kept
  if (against === undefined || !isLocalPath(against.results)) return kept
  return { ...kept, against: { ...against, results: resolve(folder, against.results) } }
}

function parse(text: string): KeptDecisions | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Value.Check(KeptDecisions, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The decisions about results in a folder that were asked for on the command line. */
export const keptDecisions = Object.freeze({ keep, read })
