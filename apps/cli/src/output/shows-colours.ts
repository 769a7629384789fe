import type { Writable } from "node:stream"

/** Returns whether the stream is a terminal with colours. Node considers NO_COLOR, FORCE_COLOR and TERM. */
export function showsColours(stream: Writable): boolean {
  return "hasColors" in stream && typeof stream.hasColors === "function" && stream.hasColors() === true
}
