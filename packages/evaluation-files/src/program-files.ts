import { isJsonObject } from "@assay/json"
import { type Static, Type } from "@sinclair/typebox"
import type { LocatedDocument } from "@assay/validation"
import { isLocalPath } from "@assay/schemas"
import { faultAt, pointerTo } from "./document-faults.ts"

/** Maximum number of files of a program. */
export const MAX_PROGRAM_FILES = 100

/** Files of a program in the short form. The command that reads the file puts texts beside it into the long form. */
export const ProgramFiles = Type.Union(
  [Type.Array(Type.String({ minLength: 1 }), { maxItems: MAX_PROGRAM_FILES }), Type.String({ minLength: 1 })],
  {
    description:
      "Files of its program: paths beside this file, which are the same in its working folder; a folder beside it, such as `./tools`; or `workspace/fileset` of a server.",
    examples: [["shop.py"]],
  },
)
export type ProgramFiles = Static<typeof ProgramFiles>

/** Returns the files and folders that programs of a document in the short form need, as they are written. A document with faults may have none. */
export function programFiles({ value }: Pick<LocatedDocument, "value">): readonly string[] {
  if (!isJsonObject(value)) return []
  const { tools, agent } = value
  const owners = (Array.isArray(tools) ? tools : []).flatMap((tool: unknown): readonly unknown[] =>
    isJsonObject(tool) ? [tool, tool["mcp"]] : [],
  )
  const files = [...owners, agent].flatMap((owner): readonly unknown[] => {
    const given = isJsonObject(owner) ? owner["files"] : undefined
    if (typeof given === "string") return isLocalPath(given) ? [asFolder(given)] : []
    return Array.isArray(given) ? given.slice(0, MAX_PROGRAM_FILES) : []
  })
  return [...new Set(files.filter((file) => typeof file === "string"))]
}

/** The end of a file of a program. A fileset has another name. */
const ONE_FILE = /\.(?:py|sh|[cm]?[jt]s|rb|pl|json|ya?ml|toml|txt|md)$/i

interface NamedFiles {
  readonly files: ProgramFiles
  readonly pointer: string
}

/**
 * Returns the texts of files by their paths, or the fileset that has them.
 * @param texts those of the files and folders of `programFiles`
 * @throws `bad_document` for a file that was not read
 */
export function textsOfFiles(
  document: LocatedDocument,
  { files, pointer }: NamedFiles,
  texts: ReadonlyMap<string, string>,
): Record<string, string> | string {
  if (typeof files === "string") {
    if (isLocalPath(files)) return textsBelow(document, { files, pointer }, texts)
    if (!ONE_FILE.test(files)) return files
    throw faultAt(
      document,
      pointer,
      `'${files}' is one file; write [${files}], a folder such as ./tools, or workspace/fileset.`,
    )
  }
  const entries = files.map((file, at) => {
    const text = texts.get(file)
    if (text !== undefined) return [file.replace(/^(?:\.\/)+/, ""), text] as const
    throw faultAt(document, pointerTo(pointer, at), notRead(`'${file}' is a file`))
  })
  return Object.fromEntries(entries)
}

/** Returns the texts of the files of a folder, by their paths in it. */
function textsBelow(
  document: LocatedDocument,
  { files, pointer }: { readonly files: string; readonly pointer: string },
  texts: ReadonlyMap<string, string>,
): Record<string, string> {
  const folder = asFolder(files)
  const own = [...texts].filter(([path]) => path.startsWith(folder))
  if (own.length === 0) throw faultAt(document, pointer, notRead(`'${files}' is a folder`))
  return Object.fromEntries(own.map(([path, text]) => [path.slice(folder.length), text]))
}

/** Returns the name of a folder with a slash at its end. */
function asFolder(written: string): string {
  return written.replace(/\/*$/, "/")
}

function notRead(what: string): string {
  return `${what} beside the evaluation file, which only the command reads; write its text into the long form.`
}
