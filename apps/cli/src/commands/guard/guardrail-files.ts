import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import type { GuardrailFiles } from "@assay/guardrails"
import { localFailure, readLocalText } from "@assay/storage"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"
import { readJsonFile } from "../read-json.ts"

/** Returns how the configurations that `--config` names are read from the files of this machine. */
export function guardrailFiles(context: Context): GuardrailFiles {
  return {
    cwd: context.cwd,
    argument: "--config",
    readValue: (file) => readJsonFile(context, "--config", file),
    readText: readLocalText,
    list: listFolder,
    note: (text) => writeText(context.stderr, `${text}\n`),
  }
}

/** Lists the files of a folder and its subfolders in order, without hidden files and the documents of a knowledge base. */
async function listFolder(folder: string): Promise<readonly string[] | undefined> {
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory() !== true) return undefined
  try {
    const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !name.startsWith("."))
    const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== "kb")
    const below = await Promise.all(
      folders.map(async ({ name }) => {
        const inner = await readdir(join(folder, name), { withFileTypes: true })
        return inner.filter((entry) => entry.isFile()).map((entry) => join(folder, name, entry.name))
      }),
    )
    const own = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name))
    return [...own, ...below.flat()].toSorted()
  } catch (error) {
    throw localFailure(error, "read", folder)
  }
}
