import { join, resolve } from "node:path"
import { formatCount } from "@assay/reports/terminal"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { createFolder } from "@assay/storage"
import { parseFilesetAddress, type TransferLocation } from "@assay/transfer"
import type { Context } from "../../../context.ts"
import { isLocal } from "../../../is-folder-name.ts"
import { defaultWorkspace } from "../../../open-client.ts"
import { sayText } from "../../../output/write-text.ts"
import type { RecordingOptions } from "../../recording-options.ts"

interface SharedRecordingOptions extends RecordingOptions {
  readonly dataDir: string
  readonly json?: boolean
  readonly detach?: boolean
  readonly render?: boolean
}

/**
 * Runs with a recording that is in a fileset of a server: copies its answers into the data folder before, and those that were added into the fileset
 * after. A run that was killed keeps its answers, and the next one sends them. Runs as it is if the recording is a folder.
 * @throws `not_found` for a replay of a fileset that does not exist; `transfer_incomplete` if answers could not be copied
 */
export async function withSharedRecording<O extends SharedRecordingOptions, T>(
  context: Context,
  options: O,
  run: (options: O) => Promise<T>,
): Promise<T> {
  const { recording, replayOnly = false, detach, render } = options
  if (recording === undefined || !recording.includes("/") || isLocal(context, recording)) return run(options)
  const leaves = detach === true ? "--detach" : render === true ? "--render" : undefined
  if (leaves !== undefined) {
    const why = `${leaves} does not wait for the answers that go to the fileset '${recording}'`
    throw new AssayError("bad_usage", `${why}: give a folder as --recording, or leave ${leaves} out.`)
  }
  const address = parseFilesetAddress(recording, defaultWorkspace(context))
  const name = join(options.dataDir, "recordings", address.workspace, address.fileset)
  const folder = resolve(context.cwd, name)
  await createFolder(folder, { mode: 0o700, durable: false })
  const here: TransferLocation = { kind: "local", name: `${name}/`, path: folder }
  const there: TransferLocation = { kind: "fileset", address }
  const say = (text: string) => void (options.json === true || sayText(context.stderr, text))
  const { copyAnswers } = await import("./copy-answers.ts")
  const read = await copyAnswers(context, there, here).catch((error: unknown) => {
    if (!isAssayError(error) || error.code !== "not_found" || replayOnly) throw error
    return 0
  })
  say(`${formatCount(read, "recorded answer")} read from ${recording}\n`)
  try {
    return await run({ ...options, recording: folder, recordingName: recording })
  } finally {
    // After Ctrl-C, the answers stay in the data folder until the next run.
    if (!replayOnly && !context.signal.aborted) {
      say(`${formatCount(await copyAnswers(context, here, there), "recorded answer")} sent to ${recording}\n`)
    }
  }
}
