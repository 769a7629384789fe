import { fileURLToPath } from "node:url"

/** The file of one of the bare servers beside this one. */
export function bareScript(
  name: "route" | "download" | "upload" | "small-uploads" | "proxy" | "hub-snapshot" | "validate-rows",
): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
}
