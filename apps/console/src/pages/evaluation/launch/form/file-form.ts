import { createContext, use } from "react"
import type { FileChange, FilePath } from "../file/edit-file.ts"
import type { KnownNames } from "../file/completion/complete-file.ts"

/** The file that the fields of a form show and change. */
export interface FileForm {
  /** The value of the file. */
  readonly value: unknown
  readonly edit: (changes: readonly FileChange[]) => void
  /** Shows the line of a key in the editor. */
  readonly show: (path: FilePath) => void
  readonly names: KnownNames
}

export const FileFormContext = createContext<FileForm | null>(null)

/** Returns the file of the form around a field. */
export function useFileForm(): FileForm {
  const form = use(FileFormContext)
  if (form === null) throw new Error("A field of a file needs the form around it.")
  return form
}

/** Returns the value at a path of a file. Undefined: it has none. */
export function valueAt(value: unknown, path: FilePath): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  )
}
