import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { parseFileAddress, type FileAddress } from "../../file-address.ts"

/** Reads `ws/name#path` or `name#path`. @throws `bad_usage` where no path is given */
export function parsePathAddress(text: string, context: Pick<Context, "env">): Required<FileAddress> {
  const { workspace, fileset, path } = parseFileAddress(text, context)
  if (path !== undefined) return { workspace, fileset, path }
  throw new AssayError("bad_usage", `'${text}' names no file: write it like ${workspace}/${fileset}#train/a.csv.`)
}
