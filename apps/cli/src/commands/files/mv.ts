import { posix } from "node:path"
import type { Client } from "@assay/client"
import { printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { type FileAddress, formatFileAddress, parseFileAddress, parsePathAddress } from "@assay/transfer"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { copy } from "./copy.ts"

export interface MvOptions extends JsonOption {
  readonly force?: boolean
}

type PathAddress = Required<FileAddress>

/**
 * Runs `assay mv <from> <to>`: copies a file, and deletes it only after its copy was checked.
 * @throws `output_exists` if there is a file at the new path, `precondition_failed` if the file changed meanwhile
 */
export async function mv(context: Context, from: string, to: string, options: MvOptions): Promise<void> {
  const { signal } = context
  const source = parsePathAddress(from, defaultWorkspace(context))
  const target = targetOf(source, parseFileAddress(to, defaultWorkspace(context)))
  const name = printable(formatFileAddress(source))
  if (formatFileAddress(source) === formatFileAddress(target))
    throw new AssayError("bad_usage", `'${name}' is named twice: give it another path or fileset.`)
  const client = openClient(context)
  const stat = ({ workspace, fileset, path }: PathAddress) => client.files.stat(workspace, fileset, path, { signal })
  const before = await stat(source)
  if (options.force !== true) await checkFree(client, target, signal)
  await copy(context, {
    from: { kind: "fileset", address: source },
    to: { kind: "fileset", address: target },
    verbs: ["moved", "move"],
    options: { ...options, parallel: 1 },
  })
  const { etag } = await stat(source)
  if (etag !== before.etag) {
    const message = `'${name}' changed while it was copied, so it was not deleted: both files are there.`
    throw new AssayError("precondition_failed", message)
  }
  await client.files.remove(source.workspace, source.fileset, source.path, { signal })
}

/** Returns the new address: the given one, or the name of the file in a folder that ends with `/` or in a whole fileset. */
function targetOf(source: PathAddress, { path = "", ...fileset }: FileAddress): PathAddress {
  const isFolder = path === "" || path.endsWith("/")
  return { ...fileset, path: isFolder ? `${path}${posix.basename(source.path)}` : path }
}

async function checkFree(
  client: Client,
  { workspace, fileset, path }: PathAddress,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.files.stat(workspace, fileset, path, { signal })
  } catch (error) {
    // A fileset that does not exist is created.
    if (isAssayError(error, "not_found")) return
    throw error
  }
  const name = printable(formatFileAddress({ workspace, fileset, path }))
  throw new AssayError("output_exists", `There is a file '${name}' already.`)
}
