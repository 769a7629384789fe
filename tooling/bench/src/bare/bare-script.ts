import { fileURLToPath } from "node:url"

/** Returns the file of a bare server in this folder. */
export function bareScript(
  name: "route" | "download" | "upload" | "small-uploads" | "proxy" | "hub-snapshot" | "validate-rows",
): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
}
