import { fileURLToPath } from "node:url"

type BareScript =
  | "compare"
  | "download"
  | "files"
  | "guarded-chat"
  | "hub-snapshot"
  | "proxy"
  | "pull"
  | "push"
  | "record-route"
  | "route"
  | "small-uploads"
  | "sqlite-inserts"
  | "sqlite-patterns"
  | "upload"
  | "validate-rows"

/** Returns the file of a bare server or script in this folder. */
export function bareScript(name: BareScript): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
}
