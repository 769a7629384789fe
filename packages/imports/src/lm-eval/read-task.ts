import { dirname, resolve } from "node:path"
import { fieldsOf, isObject, nearestNumbers } from "@assay/json"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { parseYaml } from "@assay/validation"
import { readLocalText } from "@assay/storage"
import { isNode, LineCounter, parseDocument, visit } from "yaml"

/** A task of lm-evaluation-harness with what it includes. */
export interface LmEvalTask {
  readonly fields: Readonly<Record<string, unknown>>
  /** Returns where a key is: `file:line:column`. */
  readonly locationOf: (key: string) => string
  /** Absolute path of the folder that a key's paths are relative to. */
  readonly folderOf: (key: string) => string
}

const MAX_INCLUDES = 10
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Reads a task. Its own keys win over those of the file that it includes.
 * @throws `bad_document` for a task with Python functions, with the line; `not_found`
 */
export async function readLmEvalTask(path: string, name: string, depth = 0): Promise<LmEvalTask> {
  const text = await readLocalText(path)
  if (text.length > MAX_BYTES)
    throw new AssayError("bad_document", `${name} has ${text.length} characters; the limit is ${MAX_BYTES}.`)
  checkNoFunctions(text, name)
  const { value, locationOf } = parseYaml(text, name)
  if (!isObject(value))
    throw new AssayError(
      "bad_document",
      `${locationOf("")}: A task is an object with 'task', 'doc_to_text' and 'doc_to_target'.`,
    )
  const { include, ...own } = fieldsOf(nearestNumbers(value))
  const base =
    include === undefined ? undefined : await readIncluded(include, { path, location: locationOf("/include"), depth })
  const isOwn = (key: string) => base === undefined || Object.hasOwn(own, key)
  return {
    fields: { ...base?.fields, ...own },
    locationOf: (key) => (isOwn(key) ? locationOf(`/${key}`) : (base?.locationOf(key) ?? locationOf(""))),
    folderOf: (key) => (isOwn(key) ? dirname(path) : (base?.folderOf(key) ?? dirname(path))),
  }
}

interface Including {
  readonly path: string
  readonly location: string
  readonly depth: number
}

async function readIncluded(include: unknown, { path, location, depth }: Including): Promise<LmEvalTask> {
  if (typeof include !== "string")
    throw new AssayError("bad_document", `${location}: 'include' is not the name of a file.`)
  if (depth >= MAX_INCLUDES)
    throw new AssayError("bad_document", `${location}: More than ${MAX_INCLUDES} files include each other.`)
  return readLmEvalTask(resolve(dirname(path), include), printable(include), depth + 1)
}

/** @throws `bad_document` with the line of the first value with a tag, such as `!function` */
function checkNoFunctions(text: string, name: string): void {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" })
  visit(document, (_key, node) => {
    if (!isNode(node) || node.tag === undefined || !node.tag.startsWith("!")) return
    const { line, col } = lines.linePos(node.range?.[0] ?? 0)
    const shown = printable(String(node).slice(0, 80))
    throw new AssayError(
      "bad_document",
      `${name}:${line}:${col}: '${shown}' is Python code, which is not run; write a template instead, or use a harness.`,
    )
  })
}
