import type { Context } from "../../context.ts"
import { parseFileAddress, type FileAddress } from "../../file-address.ts"
import { isFolderName } from "../../is-folder-name.ts"

/** One side of a copy: a file or folder of this machine, or a fileset with an optional path in it. */
export type Side =
  | { readonly kind: "local"; readonly written: string }
  | { readonly kind: "fileset"; readonly address: FileAddress }

/** Reads a side whose spelling decides what it is. @throws `bad_usage` */
export function parseSide(context: Context, written: string): Side {
  return isFolderName(written) ? { kind: "local", written } : filesetSide(context, written)
}

/** Reads a side that is always a fileset. @throws `bad_usage` */
export function filesetSide(context: Context, written: string): Side {
  return { kind: "fileset", address: parseFileAddress(written, context) }
}
