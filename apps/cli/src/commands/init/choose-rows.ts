import { existsSync } from "node:fs"
import { resolve } from "node:path"
import type { Context } from "../../context.ts"
import type { Asker } from "./ask.ts"
import { type Columns, evaluationDrafts } from "@assay/evaluation-files"
import type { InitOptions } from "./init.ts"
import { findRowFile, readColumns } from "./read-columns.ts"
import type { FileToWrite } from "./write-files.ts"

export interface ChosenRows {
  /** As the user named them. */
  readonly data: string
  readonly columns: Columns
  /** The example rows, for users who have none yet. */
  readonly files: readonly FileToWrite[]
}

/** Chooses the rows: those that are named, the only ones that are there, or an example. @throws `bad_usage` if they can't be read */
export async function chooseRows(context: Context, { data }: InitOptions, asker: Asker): Promise<ChosenRows> {
  if (data !== undefined) return { data, columns: await readColumns(context, data), files: [] }
  const found = (await findRowFile(context.cwd)) ?? evaluationDrafts.example.name
  const question = `File with rows (${evaluationDrafts.example.name} is written if it does not exist)`
  return asker.ask(question, found, async (answer) => {
    const path = resolve(context.cwd, answer)
    if (answer === evaluationDrafts.example.name && !existsSync(path))
      return {
        data: answer,
        columns: evaluationDrafts.example.columns(),
        files: [{ path, text: evaluationDrafts.example.rows, isKept: true }],
      }
    return { data: answer, columns: await readColumns(context, answer), files: [] }
  })
}
