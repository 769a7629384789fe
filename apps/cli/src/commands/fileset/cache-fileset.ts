import { createProgressLine, formatBytes, formatCount, formatTransferProgress } from "@assay/reports/terminal"
import { type FilesetCache, printable } from "@assay/schemas"
import { parseFilesetAddress, type FileAddress } from "@assay/transfer"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

export interface CacheFilesetOptions extends JsonOption {
  readonly wait?: boolean
  readonly status?: boolean
  readonly drop?: boolean
}

const POLL_MS = 500

/** Runs `assay fileset cache <fileset>`. */
export async function cacheFileset(context: Context, name: string, options: CacheFilesetOptions): Promise<ExitCode> {
  const address = parseFilesetAddress(name, defaultWorkspace(context))
  const { workspace, fileset } = address
  const { caches } = openClient(context)
  const { signal } = context
  const verb = options.status === true ? "get" : options.drop === true ? "drop" : "warm"
  const first = await caches[verb](workspace, fileset, { signal })
  const isAwaited = options.wait === true
  const last = isAwaited ? await waitFor(context, address, first) : first
  const words = verb === "drop" ? () => "dropped" : describe
  await print(context, options, last, (state) => `${workspace}/${fileset}  ${printable(words(state))}\n`)
  return isAwaited && last.status === "failed" ? EXIT.fixable : EXIT.done
}

/** Polls until the warm-up has ended, and shows its progress. */
async function waitFor(context: Context, address: FileAddress, first: FilesetCache): Promise<FilesetCache> {
  const { caches } = openClient(context)
  const line = createProgressLine(context, formatTransferProgress)
  let state = first
  while (state.status === "warming") {
    await context.sleep(POLL_MS, context.signal)
    state = await caches.get(address.workspace, address.fileset, { signal: context.signal })
    const { files, bytes, cached_files, cached_bytes } = state
    line.show({
      files: cached_files,
      bytes: cached_bytes,
      totalFiles: files ?? cached_files,
      totalBytes: bytes ?? cached_bytes,
      isTotalKnown: files !== null,
      movedBytes: cached_bytes - first.cached_bytes,
    })
  }
  line.clear()
  return state
}

function describe({ status, files, cached_files, bytes, cached_bytes, error }: FilesetCache): string {
  if (status === "idle") return "idle: nothing was requested"
  if (files === null || bytes === null)
    return error === null ? `${status}: files are being counted` : `${status}: ${error}`
  const count = `${cached_files} of ${formatCount(files, "file", "files")}, ${formatBytes(cached_bytes)} of ${formatBytes(bytes)}`
  return error === null ? `${status}: ${count}` : `${status}: ${count}. ${error}`
}
