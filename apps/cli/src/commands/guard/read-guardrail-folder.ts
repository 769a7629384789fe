import { readdir, readFile } from "node:fs/promises"
import { basename, dirname, join, relative, resolve } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { printable } from "@assay/schemas/printable"
import { writeText } from "../../output/write-text.ts"
import { localFailure } from "@assay/storage/paths"
import { readJsonFile } from "../read-json.ts"

type Parts = Readonly<Record<string, unknown>>

/** Lists of a configuration that several files of its folder may extend. */
const JOINED_KEYS: ReadonlySet<string> = new Set(["models", "prompts", "instructions", "docs"])

/** Matches Colang that decides what may pass: flows of both versions, and definitions of user messages. */
const DECIDES = /^[ \t]*(define[ \t]+(sub)?flow|define[ \t]+user|flow)[ \t]/m

/**
 * Reads the folder of a NeMo Guardrails configuration: all its YAML files together.
 * @throws `bad_usage` if there are none, if two of them set the same key, or if a .co file contains flows, which are not run
 */
export async function readGuardrailFolder(context: Context, folder: string): Promise<unknown> {
  const files = await filesBelow(resolve(context.cwd, folder))
  const written = files.filter((file) => /\.ya?ml$/.test(file))
  if (written.length === 0) throw new AssayError("bad_usage", `--config '${printable(folder)}' contains no .yml file.`)
  for (const file of files.filter((name) => name.endsWith(".co"))) await checkColang(context, file)
  let all: Parts = {}
  for (const file of written) all = joined(all, partsOf(await readJsonFile(context, "--config", file)), file)
  return all
}

/**
 * Reads the prompts of a `prompts.yml` beside a `config.yml` that has none, as in the documentation of NeMo Guardrails. Returns
 * undefined if there are none, and writes a note if they are used.
 */
export async function readPromptsBeside(context: Context, file: string): Promise<unknown> {
  const path = resolve(context.cwd, file)
  if (!/^config\.ya?ml$/.test(basename(path))) return undefined
  const names = await readdir(dirname(path)).catch(() => [])
  const name = names.find((one) => /^prompts\.ya?ml$/.test(one))
  if (name === undefined) return undefined
  const { prompts } = partsOf(await readJsonFile(context, "--config", join(dirname(path), name)))
  if (prompts !== undefined)
    await writeText(context.stderr, `note: the prompts of ${name} beside ${basename(path)} are used\n`)
  return prompts
}

/** Lists the files of a folder and its subfolders in order, without hidden files and the documents of a knowledge base. */
async function filesBelow(folder: string): Promise<readonly string[]> {
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

async function checkColang({ cwd, stderr }: Context, file: string): Promise<void> {
  const name = printable(relative(cwd, file))
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw localFailure(error, "read", file)
  })
  if (DECIDES.test(text)) {
    const message = `'${name}' contains Colang flows, which are not run: messages that they refuse would pass. If the rails of the .yml file are enough, name only that file.`
    throw new AssayError("bad_usage", message)
  }
  await writeText(stderr, `warning: ${name}: Colang is not read\n`)
}

function partsOf(value: unknown): Parts {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Parts) : {}
}

function joined(all: Parts, more: Parts, file: string): Parts {
  const result: Record<string, unknown> = { ...all }
  for (const [key, value] of Object.entries(more)) {
    const before = result[key]
    if (before === undefined) result[key] = value
    else if (JOINED_KEYS.has(key) && Array.isArray(before) && Array.isArray(value)) result[key] = [...before, ...value]
    else {
      const message = `--config: '${printable(key)}' in '${printable(basename(file))}' is also set in another file of the folder; keep one of them.`
      throw new AssayError("bad_usage", message)
    }
  }
  return result
}
