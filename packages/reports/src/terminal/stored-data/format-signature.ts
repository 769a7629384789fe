import { printable } from "@assay/schemas"
import { formatBytes, formatCount } from "../../text/format-number.ts"

/** The verdict of a signature about the files of a model, after they were read. */
export interface SignatureReport {
  readonly state: "verified" | "differs" | "untrusted"
  /** The file of the trusted key, or the subject of the certificate. Null if the signer is not trusted. */
  readonly signer: string | null
  /** Files that were read. */
  readonly files: number
  readonly bytes: number
  readonly differing: readonly { readonly path: string; readonly fault: "changed" | "missing" | "unsigned" }[]
}

/** Maximum number of files that are named. */
const SHOWN = 20
const WORDS = { changed: "has other bytes", missing: "is missing", unsigned: "was not signed" } as const

/** Formats the outcome of `assay fileset verify`. */
export function formatSignature({ state, signer, files, bytes, differing }: SignatureReport): string {
  if (state === "untrusted") {
    return "untrusted: the signature is not of one of the trusted keys or certificates; no file was read\n"
  }
  const by = `signed by ${printable(signer ?? "")}`
  const read = `${formatCount(files, "file", "files")}, ${formatBytes(bytes)}`
  if (state === "verified") return `verified: ${by}; ${read}\n`
  const shown = differing.slice(0, SHOWN).map(({ path, fault }) => `  ${printable(path)}  ${WORDS[fault]}\n`)
  const more = differing.length - shown.length
  const rest = more > 0 ? `  and ${formatCount(more, "more file", "more files")}\n` : ""
  return `differs: ${by}, but ${formatCount(differing.length, "file differs", "files differ")}; ${read} were read\n${shown.join("")}${rest}`
}
