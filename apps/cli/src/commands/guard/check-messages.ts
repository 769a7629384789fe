import { createReadStream, statSync } from "node:fs"
import type { Readable } from "node:stream"
import { extname, resolve } from "node:path"
import { createInterface } from "node:readline"
import { rowFormatOf } from "@assay/contents"
import {
  type CheckedPrompt,
  formatCheck,
  inOrder,
  messageWith,
  parseMessageLines,
  permanentFailure,
  type PromptToCheck,
  recordOfCheck,
} from "@assay/guardrails"
import { formatJsonLine } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { checkNoLfsPointer, localFailure, openRegularFile } from "@assay/storage"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { isLocal } from "../../is-folder-name.ts"
import { writeStyled, writeText } from "../../output/write-text.ts"
import { messageRows } from "./labelled-rows.ts"
import { requireCertified } from "./require-certified.ts"
import { openGuard, type EndpointOptions } from "./open-guard.ts"

export interface CheckOptions extends EndpointOptions {
  readonly config?: string
  readonly data?: string
  readonly response?: string
  readonly parallel: number
  readonly requireCertificate?: string
  readonly certificateData?: string
}

/** Runs `assay guard check [text]`. The exit code is that of the worst message: an error, a block, an open verdict. */
export async function checkMessages(
  context: Context,
  text: string | undefined,
  options: CheckOptions,
): Promise<ExitCode> {
  if (options.model.length > 1) throw new AssayError("bad_usage", "guard check asks one judge: give --model once.")
  const guard = await openGuard(context, { config: options.config, model: options.model[0] }, options)
  const seen = new Set<ExitCode>()
  // A program that reads from a pipe gets JSON, as it always did.
  const isForPeople = context.isTerminal.stdout && options.json !== true
  try {
    const { requireCertificate, certificateData: data } = options
    if (requireCertificate !== undefined) await requireCertified(context, requireCertificate, guard, { data })
    const { signal } = context
    const check = async (prompt: PromptToCheck) => ({ prompt, checked: await guard.check(prompt, { signal }) })
    for await (const { prompt, checked } of inOrder(readMessages(context, text, options), check, options.parallel)) {
      seen.add(await printVerdict(context, prompt, checked, isForPeople))
    }
  } finally {
    await guard.close()
  }
  if (seen.size === 0) {
    const source = options.data === undefined || options.data === "-" ? "stdin" : `'${printable(options.data)}'`
    // "Nothing was blocked" must not follow from a wrong path or an empty pipe.
    throw new AssayError("bad_usage", `There is no message in ${source}, so nothing was checked.`)
  }
  return [EXIT.fixable, EXIT.no, EXIT.inconclusive].find((code) => seen.has(code)) ?? EXIT.done
}

/** Streams the messages to check: the given one, the rows of --data, or the lines of a text file or of stdin. */
async function* readMessages(
  context: Context,
  text: string | undefined,
  { data: file, response }: CheckOptions,
): AsyncGenerator<PromptToCheck, void, undefined> {
  const { stdin, isTerminal, cwd } = context
  if (text !== undefined && text !== "-") {
    if (file !== undefined) throw new AssayError("bad_usage", "Give a message or --data, not both.")
    yield messageWith(text, response)
    return
  }
  if (file === undefined && text === undefined && isTerminal.stdin) {
    throw new AssayError(
      "bad_usage",
      "There is nothing to check: give a message, --data, or '-' and messages on stdin.",
    )
  }
  if (file !== undefined && hasRows(context, file)) {
    yield* messageRows(context, file, response)
    return
  }
  if (file !== undefined && file !== "-") await checkNoLfsPointer(resolve(cwd, file))
  const input = file === undefined || file === "-" ? stdin : await openInput(resolve(cwd, file))
  try {
    yield* parseMessageLines(createInterface({ input, crlfDelay: Infinity }), response)
  } catch (error) {
    throw localFailure(error, "read", file ?? "-")
  }
}

/**
 * Returns whether `--data` names rows: by the ending of a row file, or because it is a folder or a fileset. A text file, stdin and a pipe that
 * the shell has opened have a message on each line.
 */
function hasRows(context: Context, data: string): boolean {
  if (data === "-" || data.startsWith("/dev/")) return false
  if (rowFormatOf(data) !== undefined) return true
  if (!isLocal(context, data)) return data.includes("#") || extname(data) === ""
  return statSync(resolve(context.cwd, data), { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Opens a file, or a pipe that the shell has opened. A pipe without a writer would be waited for forever. */
async function openInput(path: string): Promise<Readable> {
  if (path.startsWith("/dev/")) return createReadStream(path)
  const handle = await openRegularFile(path).catch((error: unknown) => {
    throw localFailure(error, "read", path)
  })
  return handle.createReadStream()
}

/** Prints a verdict and returns its exit code. @throws a failure that every other message would meet too */
async function printVerdict(
  { stdout }: Context,
  prompt: PromptToCheck,
  checked: CheckedPrompt,
  isForPeople: boolean,
): Promise<ExitCode> {
  const { status, rails } = checked
  const failed = status === "unknown" ? rails.find(({ rail }) => rail.error !== null)?.rail.error : undefined
  const permanent = permanentFailure(failed?.code)
  if (failed != null && permanent !== undefined) throw new AssayError(permanent, failed.message)
  if (isForPeople) await writeStyled(stdout, formatCheck(prompt, checked))
  else await writeText(stdout, formatJsonLine(recordOfCheck(prompt, checked)))
  if (failed != null) return EXIT.fixable
  return { success: EXIT.done, blocked: EXIT.no, unknown: EXIT.inconclusive }[status]
}
