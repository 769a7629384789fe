import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Purpose } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { parseFileAddress, type FileAddress } from "../../file-address.ts"
import { isFolderName } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import { onlyFile } from "../../transfer/only-file.ts"
import { openFilesetSource } from "./open-fileset-source.ts"
import { openFilesetTarget } from "./open-fileset-target.ts"
import { runTransfer, type SideTools, type TransferFlags, type TransferSides } from "./run-transfer.ts"

export interface CpOptions extends TransferFlags {
  readonly purpose?: Purpose
}

/** `assay cp <from> <to>`: files from fileset to fileset, on whatever storage either lies. */
export async function cp(context: Context, from: string, to: string, options: CpOptions): Promise<void> {
  const [source, target] = [parseSide(context, from), parseSide(context, to)]
  await runTransfer(context, {
    verbs: ["copied", "copy"],
    where: (sides) => `to ${sides.target.name}`,
    flags: options,
    delete: false,
    open: async (tools) =>
      (await isFile(context, source))
        ? openFile(context, source, target, tools, options)
        : {
            source: await openFilesetSource(context, source, tools),
            target: await openFilesetTarget(context, target, tools, options),
          },
  })
}

/** @throws `bad_usage` for a folder, which `push` and `pull` are for */
function parseSide(context: Context, side: string): FileAddress {
  if (!isFolderName(side) || side.includes("#")) return parseFileAddress(side, context)
  throw new AssayError(
    "bad_usage",
    `'${side}' is a folder, and cp copies between filesets: use \`assay push\` or \`assay pull\`.`,
  )
}

/** Whether the address is that of one file, and not of a folder or a whole fileset. */
async function isFile(context: Context, { workspace, fileset, path }: FileAddress): Promise<boolean> {
  if (path === undefined || path === "" || path.endsWith("/")) return false
  try {
    await openClient(context).files.stat(workspace, fileset, path, { signal: context.signal })
    return true
  } catch (error) {
    if (isAssayError(error, "not_found")) return false
    throw error
  }
}

/** One file, to a name of its own or into a folder. */
async function openFile(
  context: Context,
  from: FileAddress,
  to: FileAddress,
  tools: SideTools,
  options: CpOptions,
): Promise<TransferSides> {
  const [folder, name] = splitName(from.path ?? "")
  const wanted = to.path ?? ""
  const [targetFolder, targetName] = wanted === "" || wanted.endsWith("/") ? [wanted, name] : splitName(wanted)
  const source = await openFilesetSource(context, { ...from, path: folder }, tools)
  const target = await openFilesetTarget(context, { ...to, path: targetFolder }, tools, options)
  return { source: onlyFile(source, name, targetName), target: onlyFile(target, targetName) }
}

function splitName(path: string): readonly [folder: string, name: string] {
  const end = path.lastIndexOf("/") + 1
  return [path.slice(0, end), path.slice(end)]
}
