import { statSync } from "node:fs"
import { basename, dirname, resolve, sep } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { formatFileAddress } from "../../file-address.ts"
import { onlyFile } from "../../transfer/only-file.ts"
import { folderOf, nameOf } from "../../transfer/split-path.ts"
import type { TransferSide } from "../../transfer/transfer-side.ts"
import { openFilesetTarget, type FilesetTargetOptions } from "./open-fileset-target.ts"
import { openFolderTarget } from "./open-folder-target.ts"
import { openSource, type CopiedFields } from "./open-source.ts"
import type { SideTools, TransferSides } from "./run-transfer.ts"
import type { Side } from "./side.ts"

/**
 * Opens both sides of a copy. One file goes to the name that `to` gives it, or under its own name into a folder; everything
 * else is laid below `to`.
 * @throws `not_found` if `from` names nothing
 */
export async function openSides(
  context: Context,
  from: Side,
  to: Side,
  tools: SideTools,
  options: FilesetTargetOptions,
): Promise<TransferSides> {
  const source = await openSource(context, from, tools)
  const { file, like } = source
  const making = like === undefined ? options : { ...options, like: keptBelow(to, like) }
  if (file === undefined) {
    if (from.kind === "local" && to.kind === "local") checkApart(context, from.written, to.written)
    return { source: source.side, target: await openTarget(context, to, tools, making) }
  }
  const { folder, alias, name } = placeFile(context, to, file)
  const target = await openTarget(context, folder, tools, making)
  return {
    source: onlyFile(source.side, { path: file, alias, name: source.name }),
    target: onlyFile(target, { path: alias, name }),
  }
}

async function openTarget(
  context: Context,
  side: Side,
  tools: SideTools,
  options: FilesetTargetOptions,
): Promise<TransferSide> {
  return side.kind === "local"
    ? openFolderTarget(context, side.written, tools, options)
    : openFilesetTarget(context, side.address, tools, options)
}

/** Keeps the purpose alone for a copy below a folder: its files get other paths than the schemas name. */
function keptBelow(to: Side, { purpose, ...rest }: CopiedFields): CopiedFields {
  const isRoot = to.kind === "fileset" && (to.address.path ?? "") === ""
  return { ...(purpose === undefined ? {} : { purpose }), ...(isRoot ? rest : {}) }
}

/** Where one file goes: a folder, its name there, and how a person writes both. */
interface FilePlace {
  readonly folder: Side
  readonly alias: string
  readonly name: string
}

function placeFile({ cwd }: Context, to: Side, file: string): FilePlace {
  if (to.kind === "local") {
    const place = resolve(cwd, to.written)
    if (/[\\/]$/.test(to.written) || isFolder(place)) {
      return { folder: to, alias: file, name: `${to.written.replace(/[\\/]+$/, "")}/${file}` }
    }
    return { folder: { kind: "local", written: dirname(place) }, alias: basename(place), name: to.written }
  }
  const { path = "" } = to.address
  const whole = path === "" || path.endsWith("/") ? path + file : path
  const address = { ...to.address, path: whole }
  const folder = { kind: "fileset", address: { ...address, path: folderOf(whole) } } as const
  return { folder, alias: nameOf(whole), name: formatFileAddress(address) }
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
}

/** @throws `bad_usage` if one folder holds the other: what is written would be found and written again */
function checkApart({ cwd }: Context, from: string, to: string): void {
  const [a, b] = [resolve(cwd, from) + sep, resolve(cwd, to) + sep]
  if (a.startsWith(b) || b.startsWith(a)) {
    throw new AssayError("bad_usage", `'${from}' and '${to}' lie inside each other: sync two folders that stand apart.`)
  }
}
