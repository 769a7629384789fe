import type { ReadFileOptions } from "@assay/client"
import { AssayError } from "@assay/schemas/errors"
import { parsePathAddress } from "@assay/transfer"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { writeBytes } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"

export interface CatOptions extends JsonOption {
  readonly range?: string
}

/** Runs `assay cat <file...>`: streams the bytes, no faster than the reader takes them. */
export async function cat(context: Context, files: readonly string[], options: CatOptions): Promise<void> {
  const client = openClient(context)
  const { signal } = context
  const range = options.range === undefined ? {} : { range: parseRange(options.range) }
  for (const file of files.map((file) => parsePathAddress(file, defaultWorkspace(context)))) {
    const { bytes } = await client.files.read(file.workspace, file.fileset, file.path, { signal, ...range })
    for await (const piece of bytes) await writeBytes(context.stdout, piece)
  }
}

function parseRange(text: string): NonNullable<ReadFileOptions["range"]> {
  const [, start, end] = /^(\d*)-(\d*)$/.exec(text) ?? []
  if (start !== undefined && start !== "") return { start: Number(start), ...(end === "" ? {} : { end: Number(end) }) }
  if (end !== undefined && end !== "") return { last: Number(end) }
  throw new AssayError("bad_usage", `--range '${text}' is not a range: write it like 0-99, 100- or -50.`)
}
