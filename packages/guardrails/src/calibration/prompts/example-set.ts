import { fileURLToPath } from "node:url"

/**
 * Returns the path of the example set: labelled prompts as JSON lines, written for this project. Use it to try a calibration
 * out, not as a benchmark; its README says what it covers.
 */
export function exampleSetPath(): string {
  return fileURLToPath(new URL("../../../data/safe-and-unsafe-prompts.jsonl", import.meta.url))
}
