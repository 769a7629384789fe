import { appendFile, readFile } from "node:fs/promises"
import { isObject } from "@assay/json"
import { type EvaluationRow, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { localFailure } from "@assay/storage"

/** Makes a row of results a row of a file that is asked again. */
export const testRows = { find, add }

interface WantedRow {
  /** Undefined: any task. */
  readonly task: string | undefined
  readonly row_index: number
  readonly repeat: number
}

/** Returns the last attempt of a row. @throws `bad_usage` if several tasks have one of this number */
async function find(
  rows: AsyncIterable<readonly EvaluationRow[]>,
  wanted: WantedRow,
): Promise<EvaluationRow | undefined> {
  let found: EvaluationRow | undefined
  for await (const batch of rows) {
    for (const row of batch) {
      const isWanted = row.row_index === wanted.row_index && row.repeat === wanted.repeat
      if (!isWanted || row.task !== (wanted.task ?? row.task)) continue
      if (found !== undefined && found.task !== row.task) {
        throw new AssayError(
          "bad_usage",
          `Several tasks have a row ${wanted.row_index}: write ${found.task}/${wanted.row_index}.`,
        )
      }
      found = row
    }
  }
  return found
}

const NAMES_OF_ROWS = [".jsonl", ".ndjson"]

/** Adds a line to a file of JSON lines unless the file has it. @throws `bad_usage` for another file, or one with results */
async function add(path: string, line: string): Promise<boolean> {
  if (!NAMES_OF_ROWS.some((ending) => path.endsWith(ending))) {
    throw new AssayError("bad_usage", `--out '${printable(path)}' must end in .jsonl, because a line of JSON is added.`)
  }
  try {
    const text = await readFile(path, "utf8").catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return ""
      throw error
    })
    const lines = text.split("\n").filter((given) => given.trim() !== "")
    checkRows(path, lines)
    if (lines.includes(line.trimEnd())) return false
    await appendFile(path, text === "" || text.endsWith("\n") ? line : `\n${line}`)
    return true
  } catch (error) {
    throw localFailure(error, "write", path)
  }
}

/** Checks that a row can be added to the lines of a file. Results of a job, its journal and its log would not be readable afterwards. */
function checkRows(path: string, lines: readonly string[]): void {
  const first = lines[0] === undefined ? {} : parseJson(lines[0])
  const isResult = isObject(first) && ["attempt", "row_index", "scores"].every((key) => key in first)
  const isLog = isObject(first) && ["at", "level", "message"].every((key) => key in first)
  if (isObject(first) && !isResult && !isLog) return
  const what = isResult ? "the results of a job" : isLog ? "the log of a job" : "lines that are not JSON objects"
  throw new AssayError("output_exists", `--out '${printable(path)}' has ${what}, to which no row is added.`, {
    context: { remedy: "Choose another file with rows in JSON lines, or a new one." },
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
