import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { judgeDoctor, type RowsReader } from "@assay/results"
import { readJobToCompare } from "../runs/results-folder.ts"

/** The names of two texts of rows. */
export type SwappedFields = Parameters<typeof judgeDoctor.swapRows>[1]

/** The folders of answers about rows with swapped texts and of these rows, and the file with the names of the texts. */
export const ANSWERS = { swapped: "swapped", swappedSample: "swapped-sample", fields: "fields.json" } as const

/** Opens the answers about rows whose two answers changed places, as rows in which they have not. Undefined: there are none. */
export async function keptSwapped(out: string): Promise<Pick<RowsReader, "read"> | undefined> {
  const folders = await foldersBelow(out, (name) => name === ANSWERS.swapped)
  const found: Pick<RowsReader, "read">[] = []
  for (const folder of folders) {
    const fields = JSON.parse(
      await readFile(join(folder, "..", ANSWERS.swappedSample, ANSWERS.fields), "utf8"),
    ) as SwappedFields
    const job = await readJobToCompare(folder, folder)
    found.push({
      async *read(signal) {
        for await (const rows of job.rows(signal)) yield judgeDoctor.swapRows(rows, fields, folder)
      },
    })
  }
  return found.length === 0
    ? undefined
    : {
        async *read(signal) {
          for (const one of found) yield* one.read(signal)
        },
      }
}

/** Opens the answers that `askJudgesAgain` has kept below a folder. Those of a command that was interrupted are left out. */
export async function keptAnswers(out: string): Promise<readonly Pick<RowsReader, "read">[]> {
  const folders = await foldersBelow(out, (name) => /^ask-\d+$/.test(name))
  const found: Pick<RowsReader, "read">[] = []
  for (const path of folders) {
    const job = await readJobToCompare(path, path)
    found.push({ read: (signal) => job.rows(signal) })
  }
  return found
}

/** Lists the folders with results below a folder by their names. Those of a command that was interrupted are left out. */
async function foldersBelow(out: string, isWanted: (name: string) => boolean): Promise<readonly string[]> {
  const all = existsSync(out) ? await readdir(out, { recursive: true, withFileTypes: true }) : []
  return all
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .filter(({ name }) => isWanted(name))
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((path) => existsSync(join(path, "results", "results.json")))
}
