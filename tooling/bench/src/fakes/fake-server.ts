import { fileURLToPath } from "node:url"

/** Returns the file of a fake in this folder. */
export function fakeServer(name: "agent" | "chat" | "objstore" | "generated-bucket"): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
}
