import { AssayError } from "@assay/schemas/errors"
import type { FileAddress } from "@assay/transfer/file-address"
import type { Context } from "./context.ts"

const SHAPE = /^(?:([^/#]+)\/)?([^/#]+)(?:#(.*))?$/s

/** Returns the workspace of names without a workspace. */
export function defaultWorkspace(context: Pick<Context, "env">): string {
  return context.env["ASSAY_WORKSPACE"] || "default"
}

/** Parses `workspace/fileset`, `fileset`, `workspace/fileset#path` or `fileset#path`. @throws `bad_usage` */
export function parseFileAddress(text: string, context: Pick<Context, "env">): FileAddress {
  const [, workspace, fileset, path] = SHAPE.exec(text) ?? []
  if (fileset === undefined) {
    throw new AssayError(
      "bad_usage",
      `'${text}' does not name a fileset: write it like default/reviews or default/reviews#train/a.csv.`,
    )
  }
  return { workspace: workspace ?? defaultWorkspace(context), fileset, ...(path === undefined ? {} : { path }) }
}

/** Parses the address of a whole fileset. @throws `bad_usage` if it has a path */
export function parseFilesetAddress(text: string, context: Pick<Context, "env">): FileAddress {
  const address = parseFileAddress(text, context)
  if (address.path === undefined) return address
  throw new AssayError(
    "bad_usage",
    `'${text}' names a file, and this command takes a whole fileset: leave out '#${address.path}'.`,
  )
}

/** Parses the address of a file or a folder in a fileset. @throws `bad_usage` if it has no path */
export function parsePathAddress(text: string, context: Pick<Context, "env">): Required<FileAddress> {
  const { workspace, fileset, path } = parseFileAddress(text, context)
  if (path !== undefined) return { workspace, fileset, path }
  throw new AssayError(
    "bad_usage",
    `'${text}' does not name a file: write it like ${workspace}/${fileset}#train/a.csv.`,
  )
}
