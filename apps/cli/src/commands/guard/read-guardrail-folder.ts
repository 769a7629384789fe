import { readdir, readFile } from "node:fs/promises"
import { basename, dirname, join, relative, resolve } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { printable } from "../../output/printable.ts"
import { writeText } from "../../output/write-text.ts"
import { localFailure } from "@assay/storage/paths"
import { readJsonFile } from "../read-json.ts"

type Parts = Readonly<Record<string, unknown>>

/** Lists of a configuration that several files of its folder may add to. */
const JOINED_KEYS: ReadonlySet<string> = new Set(["models", "prompts", "instructions", "docs"])

/** Colang that decides what may pass: flows of both versions, and what users are understood to say. */
const DECIDES = /^[ \t]*(define[ \t]+(sub)?flow|define[ \t]+user|flow)[ \t]/m

/**
 * Reads a folder as NeMo Guardrails keeps a configuration: all its YAML files together.
 * @throws `bad_usage` if it has none, if two of them set the same key, or if a .co file holds flows, which are not run
 */
export async function readGuardrailFolder(context: Context, folder: string): Promise<unknown> {
  const files = await filesBelow(resolve(context.cwd, folder))
  const written = files.filter((file) => /\.ya?ml$/.test(file))
  if (written.length === 0) throw new AssayError("bad_usage", `--config '${printable(folder)}' has no .yml file in it.`)
  for (const file of files.filter((name) => name.endsWith(".co"))) await checkColang(context, file)
  let all: Parts = {}
  for (const file of written) all = joined(all, partsOf(await readJsonFile(context, "--config", file)), file)
  return all
}

/**
 * The prompts that stand in `prompts.yml` beside a `config.yml` without any, as the vendor's documentation parts them; undefined if
 * there are none. Says that they are used.
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

/** The files of a folder and of its subfolders, without documents of a knowledge base and hidden ones, in order. */
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
    const message = `'${name}' holds flows in Colang, which are not run, so what they refuse would pass. Name the .yml file alone if its rails are enough.`
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
      const message = `--config: '${printable(key)}' in '${printable(basename(file))}' stands in another file of the folder too; keep one of them.`
      throw new AssayError("bad_usage", message)
    }
  }
  return result
}
