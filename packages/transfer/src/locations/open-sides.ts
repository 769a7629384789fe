import { statSync } from "node:fs"
import { basename, dirname, sep } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { folderOf, nameOf } from "@assay/storage"
import { formatFileAddress } from "../file-address.ts"
import { onlyFile } from "../sides/side-views.ts"
import type { TransferSide } from "../sides/transfer-side.ts"
import { openSource } from "./open-source.ts"
import { openTarget } from "./open-target.ts"
import type { CopiedFields, OpenOptions, TransferLocation } from "./transfer-location.ts"

/** Both sides of a copy. */
export interface TransferSides {
  readonly source: TransferSide
  readonly target: TransferSide
}

/**
 * Opens both sides of a copy. One file goes to the name that `to` gives it, or keeps its name if `to` is a folder. All other
 * sources are copied below `to`.
 * @throws `not_found` if `from` does not exist, `bad_usage` if one of two folders contains the other
 */
export async function openSides(
  from: TransferLocation,
  to: TransferLocation,
  options: OpenOptions,
): Promise<TransferSides> {
  const source = await openSource(from, options)
  const { file } = source
  const fields = fieldsFor(to, source.fields ?? {})
  if (file === undefined) {
    if (from.kind === "local" && to.kind === "local") checkApart(from, to)
    return { source: source.side, target: await openTarget(to, fields, options) }
  }
  const { folder, alias, name } = splitFile(to, file)
  const target = await openTarget(folder, fields, options)
  return {
    source: onlyFile(source.side, { path: file, alias, name: source.name }),
    target: onlyFile(target, { path: alias, name }),
  }
}

/** Keeps only the purpose if the copy goes below a folder: its files get other paths than the row schemas name. */
function fieldsFor(to: TransferLocation, fields: CopiedFields): CopiedFields {
  const { purpose } = fields
  if (to.kind === "fileset" && (to.address.path ?? "") === "") return fields
  return purpose === undefined ? {} : { purpose }
}

/** The target of one file: a folder, the name in it, and the target as the user writes it. */
interface CopiedFile {
  readonly folder: TransferLocation
  readonly alias: string
  readonly name: string
}

function splitFile(to: TransferLocation, file: string): CopiedFile {
  if (to.kind === "local") {
    const { name, path } = to
    if (/[\\/]$/.test(name) || isFolder(path)) {
      return { folder: to, alias: file, name: `${name.replace(/[\\/]+$/, "")}/${file}` }
    }
    const folder = dirname(path)
    return { folder: { kind: "local", name: folder, path: folder }, alias: basename(path), name }
  }
  const { path = "" } = to.address
  const whole = path === "" || path.endsWith("/") ? path + file : path
  const address = { ...to.address, path: whole }
  const folder = { kind: "fileset", address: { ...address, path: folderOf(whole) } } as const
  return { folder, alias: nameOf(whole), name: formatFileAddress(address) }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** @throws `bad_usage` if one folder contains the other: copied files would be listed and copied again */
function checkApart(from: TransferLocation & { kind: "local" }, to: TransferLocation & { kind: "local" }): void {
  const a = from.path + sep
  const b = to.path + sep
  if (!a.startsWith(b) && !b.startsWith(a)) return
  const message = `One of '${from.name}' and '${to.name}' contains the other: sync two separate folders.`
  throw new AssayError("bad_usage", message)
}
