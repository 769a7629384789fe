import { readdir } from "node:fs/promises"
import { basename, dirname, join, relative, resolve } from "node:path"
import { type CreateGuardrailConfiguration, type GuardrailData, guardrailFault, printable } from "@assay/schemas"
import { fieldsOf, isObject } from "@assay/json"
import { AssayError } from "@assay/schemas/errors"

/** How configurations are read on this machine. Every failure has an error code. */
export interface GuardrailFiles {
  /** Absolute path of the folder that names are relative to. */
  readonly cwd: string
  /** The name in messages of the argument for a configuration, such as `--config`. */
  readonly argument: string
  /** Reads JSON or YAML from a file, or from stdin (`-`). @throws `bad_document` */
  readonly readValue: (file: string) => Promise<unknown>
  readonly readText: (path: string) => Promise<string>
  /** Lists the files of a folder and its subfolders as absolute paths, sorted. Undefined if the path is not a folder. */
  readonly list: (path: string) => Promise<readonly string[] | undefined>
  /** Receives a sentence about files that are used too, or not at all. */
  readonly note: (text: string) => Promise<void>
}

/**
 * Reads a configuration: its `data`, the whole record, a `config.yml` with a `prompts.yml` beside it, or a folder of NeMo
 * Guardrails.
 * @throws `bad_document` with the first fault and its location
 */
export async function readGuardrailFile(files: GuardrailFiles, file: string): Promise<GuardrailData> {
  const value = await readParts(files, file)
  const isRecord = isObject(value) && "data" in value
  const fault = guardrailFault(value, { isRecord })
  if (fault !== undefined) {
    const location = fault.keys.length === 0 ? "it" : printable(fault.keys.join("."))
    const message = `${files.argument} '${printable(file)}' is not a guardrail configuration: ${location}: ${fault.msg}.`
    throw new AssayError("bad_document", message)
  }
  return isRecord ? ((value as CreateGuardrailConfiguration).data ?? {}) : (value as GuardrailData)
}

async function readParts(files: GuardrailFiles, file: string): Promise<unknown> {
  const below = await files.list(resolve(files.cwd, file))
  if (below !== undefined) return readFolder(files, file, below)
  const value = await files.readValue(file)
  if (!isObject(value) || "data" in value || "prompts" in value) return value
  const prompts = await readPromptsBeside(files, file)
  return prompts === undefined ? value : { ...value, prompts }
}

/**
 * Reads the prompts of a `prompts.yml` beside a `config.yml` that has none, as in the documentation of NeMo Guardrails. Returns
 * undefined if there are none, and notes if they are used.
 */
async function readPromptsBeside(files: GuardrailFiles, file: string): Promise<unknown> {
  const path = resolve(files.cwd, file)
  if (!/^config\.ya?ml$/.test(basename(path))) return undefined
  const names = await readdir(dirname(path)).catch(() => [])
  const name = names.find((one) => /^prompts\.ya?ml$/.test(one))
  if (name === undefined) return undefined
  const { prompts } = fieldsOf(await files.readValue(join(dirname(path), name)))
  if (prompts !== undefined) await files.note(`note: the prompts of ${name} beside ${basename(path)} are used`)
  return prompts
}

type Parts = Readonly<Record<string, unknown>>

/** Lists of a configuration that several files of its folder may extend. */
const JOINED_KEYS: ReadonlySet<string> = new Set(["models", "prompts", "instructions", "docs"])

/** Matches Colang that decides what may pass: flows of both versions, and definitions of user messages. */
const DECIDES = /^[ \t]*(define[ \t]+(sub)?flow|define[ \t]+user|flow)(?=\s|$)/m

/**
 * Reads the folder of a NeMo Guardrails configuration: all its YAML files together.
 * @throws `bad_document` if there are none, if two of them set the same key, or if a .co file contains flows, which are not run
 */
async function readFolder(files: GuardrailFiles, folder: string, below: readonly string[]): Promise<unknown> {
  const written = below.filter((file) => /\.ya?ml$/.test(file))
  if (written.length === 0) {
    throw new AssayError("bad_document", `${files.argument} '${printable(folder)}' contains no .yml file.`)
  }
  for (const file of below.filter((name) => name.endsWith(".co"))) await checkColang(files, file)
  let all: Parts = {}
  for (const file of written) all = joined(all, fieldsOf(await files.readValue(file)), files.argument, file)
  return all
}

async function checkColang({ cwd, readText, note }: GuardrailFiles, file: string): Promise<void> {
  const name = printable(relative(cwd, file))
  if (DECIDES.test(await readText(file))) {
    const message = `'${name}' contains Colang flows, which are not run: messages that they refuse would pass. If the rails of the .yml file are enough, name only that file.`
    throw new AssayError("bad_document", message)
  }
  await note(`warning: ${name}: Colang is not read`)
}

function joined(all: Parts, more: Parts, argument: string, file: string): Parts {
  const result: Record<string, unknown> = { ...all }
  for (const [key, value] of Object.entries(more)) {
    const before = result[key]
    if (before === undefined) result[key] = value
    else if (JOINED_KEYS.has(key) && Array.isArray(before) && Array.isArray(value)) result[key] = [...before, ...value]
    else {
      const message = `${argument}: '${printable(key)}' in '${printable(basename(file))}' is also set in another file of the folder; keep one of them.`
      throw new AssayError("bad_document", message)
    }
  }
  return result
}
