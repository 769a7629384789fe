import { fileURLToPath } from "node:url"

/** The file of one of the fakes beside this one. */
export function fakeServer(name: "chat" | "objstore"): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
}
