import { stat } from "node:fs/promises"
import { messageOf } from "@assay/schemas"
import { findLocalDataset } from "../open-local-dataset.ts"
import { localDatasets } from "../dataset-paths.ts"
import type { EvaluationFileJobs } from "./evaluation-file.ts"

/**
 * Returns a text that changes whenever an evaluation file or one of its row files changes. It is meant for polling, which is cheap, while
 * notifications differ between file systems.
 * @param read reads the file
 * @param home the folder that `~` means
 */
export async function stateOfFile(read: () => Promise<EvaluationFileJobs>, home: string): Promise<string> {
  try {
    const jobs = await read()
    const [{ path, folder }] = jobs
    const parts: unknown[] = [path === undefined ? null : await timesOf(path)]
    const inline = jobs
      .flatMap(({ content: { target, config } }) => [target, config])
      .filter((one) => typeof one !== "string")
    // The texts of prompts may be in other files.
    parts.push(inline)
    for (const localPath of localDatasets(inline)) {
      const { pin } = await findLocalDataset(localPath, { folder, home })
      parts.push(pin.files.map(({ path, size, etag }) => [path, size, etag]))
    }
    return JSON.stringify(parts)
  } catch (error) {
    // If the file cannot be read, the message is its state.
    return messageOf(error)
  }
}

async function timesOf(path: string): Promise<readonly number[]> {
  const { mtimeMs, size, ino } = await stat(path)
  return [mtimeMs, size, ino]
}
