import { fileURLToPath } from "node:url"

/** Returns the path of the relay script, built or as source. */
export function relayScript(): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js"
  return fileURLToPath(new URL(`./endpoint-relay.${extension}`, import.meta.url))
}
