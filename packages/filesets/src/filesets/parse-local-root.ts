import { WORKSPACE_NAME_PATTERN } from "@assay/schemas"
import type { LocalRoot } from "./local-folders.ts"

const WORKSPACE = new RegExp(WORKSPACE_NAME_PATTERN)

/**
 * Parses an entry of `ASSAY_ALLOWED_LOCAL_ROOTS`: a folder, or a folder, `=` and the workspaces that may use it, separated
 * by `|`. `=*` means all workspaces; it also protects a folder whose name ends like such a list. If the text after the last
 * `=` is not a list of workspaces, it is part of the folder's name.
 */
export function parseLocalRoot(text: string): LocalRoot {
  const at = text.lastIndexOf("=")
  if (at < 1) return { path: text }
  const path = text.slice(0, at)
  const workspaces = text
    .slice(at + 1)
    .split("|")
    .map((name) => name.trim())
  if (workspaces.includes("*")) return { path }
  return workspaces.every((name) => WORKSPACE.test(name)) ? { path, workspaces } : { path: text }
}
