import { AssayError } from "@assay/schemas/errors"
import type { Context } from "./context.ts"

/** A fileset, and a path in it where one was given. */
export interface FileAddress {
  readonly workspace: string
  readonly fileset: string
  /** Absent where the address has no `#`. */
  readonly path?: string
}

const SHAPE = /^(?:([^/#]+)\/)?([^/#]+)(?:#(.*))?$/s

/** The workspace of names that carry none. */
export function defaultWorkspace(context: Pick<Context, "env">): string {
  return context.env["ASSAY_WORKSPACE"] || "default"
}

/** Reads `ws/name`, `name`, `ws/name#path` or `name#path`. @throws `bad_usage` */
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

/** Reads `ws/name` or `name`. @throws `bad_usage` where a path follows */
export function parseFilesetAddress(text: string, context: Pick<Context, "env">): FileAddress {
  const address = parseFileAddress(text, context)
  if (address.path === undefined) return address
  throw new AssayError(
    "bad_usage",
    `'${text}' names a file, and this command takes a whole fileset: leave out '#${address.path}'.`,
  )
}

export function formatFileAddress({ workspace, fileset, path }: FileAddress): string {
  return `${workspace}/${fileset}${path === undefined ? "" : `#${path}`}`
}
