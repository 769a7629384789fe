import { fieldsOf, isObject, listOf } from "@assay/json"
import { AssayError } from "@assay/schemas/errors"
import type { ImportNotes } from "../output/import-notes.ts"
import { isTemplate, overRows, readTemplate } from "./nunjucks.ts"
import { endingOf, type SourceFiles } from "./source-files.ts"
import { itemsOf, plainValue, type SourceValue, textOf } from "./source-value.ts"

/** A prompt as the template of a task. */
export interface ImportedPrompt {
  /** Its label, if it has one. */
  readonly label: string | undefined
  readonly template: PromptTemplate
  /** The variables that it reads. */
  readonly names: readonly string[]
  readonly location: string
}

type PromptTemplate = { readonly prompt: string } | { readonly messages: readonly Message[] }

interface Message {
  readonly role: string
  readonly content: unknown
}

export interface PromptFrame {
  readonly prefix: string
  readonly suffix: string
}

interface PromptSource {
  readonly files: SourceFiles
  readonly notes: ImportNotes
  readonly frame: PromptFrame
}

/** Endings of texts that are not prompts but programs. */
const PROGRAMS = ["js", "mjs", "cjs", "ts", "mts", "py", "rb", "sh", "exe"]
const TEXTS = ["txt", "md", "j2", "json", "jsonl", "yaml", "yml", "csv"]
const SEPARATOR = /^---[ \t]*$/m

/** Reads the prompts of a configuration. Prompts that are programs are left out. @throws `bad_document` if no prompt is left */
export async function readPrompts(prompts: SourceValue, source: PromptSource): Promise<readonly ImportedPrompt[]> {
  const found: ImportedPrompt[] = []
  for (const item of itemsOf(prompts)) found.push(...(await readPrompt(item, source)))
  if (found.length > 0) return found
  const message = "There is no prompt that can be imported; write texts, chats or files with them below 'prompts'."
  throw new AssayError("bad_document", `${prompts.location}: ${message}`)
}

async function readPrompt(item: SourceValue, source: PromptSource): Promise<readonly ImportedPrompt[]> {
  if (isObject(item.value) && !("role" in item.value)) {
    const { label, raw, id } = fieldsOf(item.value)
    const body = raw === undefined ? (id === undefined ? item.at("file") : item.at("id")) : item.at("raw")
    const prompts = await readPrompt(body, source)
    const name = typeof label === "string" ? label : undefined
    return prompts.map((prompt) => ({ ...prompt, label: name ?? prompt.label }))
  }
  const text = textOf(item)
  const named = text === undefined ? undefined : namedFile(text)
  if (named !== undefined) return readPromptFiles(named, item.location, source)
  return toPrompt(text ?? plainValue(item), item.location, source)
}

/** Returns the path of a prompt that names a file; undefined if the prompt is the text itself. */
function namedFile(text: string): string | undefined {
  if (text.startsWith("file://")) return text
  if (text.startsWith("exec:")) return text
  const isPath = !/[\n{}]/.test(text) && text.length < 300
  return isPath && [...TEXTS, ...PROGRAMS].some((ending) => text.endsWith(`.${ending}`)) ? text : undefined
}

async function readPromptFiles(
  written: string,
  location: string,
  source: PromptSource,
): Promise<readonly ImportedPrompt[]> {
  const { files, notes } = source
  const [bare = ""] = written.replace(/^file:\/\//, "").split(/:(?=[A-Za-z_]\w*$)/)
  if (written.startsWith("exec:") || PROGRAMS.includes(endingOf(bare))) {
    notes.add({ location, part: "prompt", outcome: "left out", detail: `'${bare.slice(0, 80)}' is a program` })
    return []
  }
  const prompts: ImportedPrompt[] = []
  for (const path of files.list(bare, location)) {
    for (const content of await contentsOf(path, files)) {
      prompts.push(...toPrompt(content, files.nameOf(path), source))
    }
  }
  return prompts
}

/** Returns the prompts of a file: several texts between lines of `---`, a chat, or lines. */
async function contentsOf(path: string, files: SourceFiles): Promise<readonly unknown[]> {
  const ending = endingOf(path)
  if (ending === "yaml" || ending === "yml") return [plainValue(await files.readDocument(path))]
  const text = await files.readText(path)
  if (ending === "json" || ending === "md" || ending === "j2") return [text]
  if (ending === "jsonl") return text.split(/\r?\n/).filter((line) => line.trim() !== "")
  if (ending === "csv")
    return (await files.readRows(path)).map((row) => fieldsOf(row.value)["prompt"]).filter((one) => one !== undefined)
  return text
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== "")
}

/** Converts a prompt to a template. A prompt that can't be read is left out. */
function toPrompt(content: unknown, location: string, { notes, frame }: PromptSource): readonly ImportedPrompt[] {
  const leftOut = (detail: string): readonly ImportedPrompt[] => {
    notes.add({ location, part: "prompt", outcome: "left out", detail })
    return []
  }
  const chat = typeof content === "string" ? chatOfText(content) : content
  if (chat === undefined && /^\s*\[\s*(?:\{\s*"role"|\{%)/.test(String(content))) {
    return leftOut("it is a chat with statements between its messages; write a list of messages")
  }
  if (chat === undefined) {
    const text = `${frame.prefix}${String(content)}${frame.suffix}`
    const { fault } = readTemplate(text)
    if (fault !== undefined) return leftOut(fault)
    return [{ label: undefined, template: { prompt: overRows(text) }, names: namesIn([text]), location }]
  }
  const messages = Array.isArray(chat) ? listOf(chat) : isObject(chat) ? listOf(chat["messages"] ?? [chat]) : []
  const isChat =
    messages.length > 0 &&
    messages.every((one) => typeof fieldsOf(one)["role"] === "string" && "content" in fieldsOf(one))
  if (!isChat) return leftOut("it is not a text and not a list of messages with 'role' and 'content'")
  const fault = textsIn(messages)
    .filter(isTemplate)
    .map((text) => readTemplate(text).fault)
    .find((one) => one !== undefined)
  if (fault !== undefined) return leftOut(fault)
  return [
    {
      label: undefined,
      template: { messages: messages.map((one) => withJinja(one) as Message) },
      names: namesIn(textsIn(messages)),
      location,
    },
  ]
}

/** Returns the chat that a text of JSON is; undefined for any other text. */
function chatOfText(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || /^\s*\{[{%#]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) || isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function namesIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => readTemplate(text).template?.reads.flatMap(({ path: [name] }) => name ?? []) ?? [])
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}

function withJinja(value: unknown): unknown {
  if (typeof value === "string") return isTemplate(value) ? overRows(value) : value
  if (Array.isArray(value)) return value.map(withJinja)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withJinja(part)]))
}
