import { stat } from "node:fs/promises"
import { setTimeout as wait } from "node:timers/promises"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { EXIT, type ExitCode } from "../../../exit-code.ts"
import { describeError, formatError } from "../../../output/describe-error.ts"
import { writeStyled, writeText } from "../../../output/write-text.ts"
import type { JsonOption } from "../../action.ts"
import { readEvaluationFile } from "../file/read-evaluation-file.ts"
import { localDatasets } from "./digest-run.ts"
import { findLocalDataset } from "./open-local-dataset.ts"

const POLL_MS = 300

/** Runs, and runs again whenever the file or its rows change, until Ctrl-C. What goes wrong is told, and the next change tried. */
export async function watchRuns(
  context: Context,
  name: string,
  runOnce: () => Promise<ExitCode>,
  { json }: JsonOption,
): Promise<ExitCode> {
  const { signal, stderr } = context
  if (name === "-") throw new AssayError("bad_usage", "--watch needs a file: what comes from stdin can't change.")
  for (;;) {
    const before = await stateOf(context, name)
    try {
      await runOnce()
    } catch (error) {
      if (signal.aborted || !isAssayError(error)) throw error
      await writeStyled(stderr, formatError(describeError(error, { usage: "eval run", words: [] }, context)))
    }
    if (json !== true) await writeText(stderr, `\nwatching ${name} and its rows; Ctrl-C ends\n`)
    while ((await stateOf(context, name)) === before) {
      if (signal.aborted) return EXIT.interrupted
      await wait(POLL_MS)
    }
  }
}

/** Changes whenever the file or one of its row files does. Looking often costs less than being told wrongly by every file system. */
async function stateOf(context: Context, name: string): Promise<string> {
  try {
    const file = await readEvaluationFile(context, name)
    const { target, config } = file.content
    const parts: unknown[] = [file.path === undefined ? null : await timesOf(file.path)]
    const inline = {
      ...(typeof target === "string" ? {} : { target }),
      ...(typeof config === "string" ? {} : { config }),
    }
    for (const place of localDatasets(inline)) {
      const { pin } = await findLocalDataset(place, { folder: file.folder, home: context.home })
      parts.push(pin.files.map(({ path, size, etag }) => [path, size, etag]))
    }
    return JSON.stringify(parts)
  } catch (error) {
    // While it can't be read, its fault is its state.
    return error instanceof Error ? error.message : String(error)
  }
}

async function timesOf(path: string): Promise<readonly number[]> {
  const { mtimeMs, size, ino } = await stat(path)
  return [mtimeMs, size, ino]
}
