import type { LocatedDocument } from "@assay/validation"
import { AssayError, isAssayError, messageOf } from "@assay/schemas/errors"
import { printableJson, printableText } from "@assay/schemas"

export type DocumentFormat = "yaml" | "json"

/** Locations in messages begin with it. The parser of files wants a name. */
const NAME = "document"

/**
 * Writes a document as people edit it, with escapes for control characters, which would reorder what the editor shows. The library for
 * YAML is loaded on the first use.
 */
export async function formatDocument(value: unknown, format: DocumentFormat): Promise<string> {
  if (format === "json") return `${formatJsonText(value)}\n`
  const { Document, visit } = await import("yaml")
  const document = new Document(value)
  visit(document, {
    Scalar(_key, node) {
      // Only this kind of scalar has escapes.
      if (typeof node.value === "string" && printableText(node.value) !== node.value) node.type = "QUOTE_DOUBLE"
    },
  })
  return printableJson(document.toString({ lineWidth: 100 }))
}

/** Writes a value as JSON for an editor, with escapes for control characters. */
export function formatJsonText(value: unknown): string {
  return printableJson(JSON.stringify(value, null, 2))
}

/** Reads a document. @throws `invalid_request` with the line of the fault */
export async function parseDocument(text: string, format: DocumentFormat): Promise<unknown> {
  if (format === "yaml") return (await parseLocated(text)).value
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    const fault = messageOf(cause)
    throw new AssayError("invalid_request", `This is not JSON: ${fault}`, { cause })
  }
}

/** Reads YAML with the locations of its values. @throws `invalid_request` with the line of the fault */
async function parseLocated(text: string): Promise<LocatedDocument> {
  const { parseYaml } = await import("@assay/validation")
  return withLines(() => parseYaml(text, NAME), "This is not YAML: ")
}

/** Calls a reader of files, and says in its failure the line instead of the file. @throws `invalid_request` */
function withLines<T>(read: () => T, before = ""): T {
  try {
    return read()
  } catch (cause) {
    if (!isAssayError(cause)) throw cause
    // A file with several faults has an issue for each of them.
    const messages = cause.issues.map(({ loc, msg }) => `${loc.join()}: ${msg}`)
    const faults = (messages.length === 0 ? [cause.message] : messages).map(withLine)
    const { count } = cause.context
    const text = [...(typeof count === "string" ? [count] : []), ...faults.map((fault) => fault.text)].join(" ")
    const line = faults[0]?.line
    throw new AssayError("invalid_request", `${before}${text}`, { cause, context: line === undefined ? {} : { line } })
  }
}

/** Says in a message the line and the column instead of the location. */
function withLine(message: string): { readonly text: string; readonly line?: number } {
  const [, line, column, fault] = LOCATION.exec(message) ?? []
  return line === undefined
    ? { text: message }
    : { text: `line ${line}, column ${column}: ${fault}`, line: Number(line) }
}

const LOCATION = /^document:(\d+):(\d+): ([^]*)$/u
