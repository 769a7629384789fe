import { fileURLToPath } from "node:url"

/**
 * Where the example set is: labelled prompts as JSON lines, written for this project. Its README tells what it is good for,
 * which is trying a calibration out.
 */
export function exampleSetPath(): string {
  return fileURLToPath(new URL("../../data/safe-and-unsafe-prompts.jsonl", import.meta.url))
}
