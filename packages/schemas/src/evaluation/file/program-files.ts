import { isJsonObject } from "@assay/json"
import { type Static, Type } from "@sinclair/typebox"
import type { LocatedDocument } from "../../documents/located-document.ts"
import { faultAt, pointerTo } from "./document-faults.ts"

/** Maximum number of files of a program. */
const MAX_FILES = 100

/** Files of a program in the short form. The command that reads the file puts their texts into the long form. */
export const ProgramFiles = Type.Array(Type.String({ minLength: 1 }), {
  maxItems: MAX_FILES,
  description: "Files of its program beside this file, which get the same paths in its working folder.",
  examples: [["shop.py"]],
})
export type ProgramFiles = Static<typeof ProgramFiles>

/** Returns the files that programs of a document in the short form need, as they are written. A document with faults may have none. */
export function programFiles({ value }: Pick<LocatedDocument, "value">): readonly string[] {
  if (!isJsonObject(value)) return []
  const { tools, agent } = value
  const owners = (Array.isArray(tools) ? tools : []).flatMap((tool: unknown): readonly unknown[] =>
    isJsonObject(tool) ? [tool, tool["mcp"]] : [],
  )
  const files = [...owners, agent].flatMap((owner): readonly unknown[] => {
    const given = isJsonObject(owner) ? owner["files"] : undefined
    return Array.isArray(given) ? given.slice(0, MAX_FILES) : []
  })
  return [...new Set(files.filter((file) => typeof file === "string"))]
}

/** Returns the texts of files by their paths. @throws `bad_document` for a file that was not read */
export function textsOfFiles(
  document: LocatedDocument,
  { files, pointer }: { readonly files: ProgramFiles; readonly pointer: string },
  texts: ReadonlyMap<string, string>,
): Record<string, string> {
  const entries = files.map((file, at) => {
    const text = texts.get(file)
    if (text !== undefined) return [file.replace(/^(?:\.\/)+/, ""), text] as const
    const why = `'${file}' is a file beside the evaluation file, which only the command reads; write its text into the long form.`
    throw faultAt(document, pointerTo(pointer, at), why)
  })
  return Object.fromEntries(entries)
}
