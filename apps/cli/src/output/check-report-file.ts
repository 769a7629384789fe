import { resolve } from "node:path"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { openRegularFile } from "@assay/storage"

/** How the files of each format begin. */
const BEGINNINGS = { HTML: "<!doctype html>", Markdown: "## ", "JUnit XML": "<?xml " } as const

/**
 * Checks, before a command costs anything, that a report would replace no file but another report of its format: labels or an evaluation file may be the work of
 * hours. @throws `output_exists`
 */
export async function checkReportFile(
  { cwd }: { readonly cwd: string },
  option: string,
  { name, format }: { readonly name: string | undefined; readonly format: keyof typeof BEGINNINGS },
): Promise<void> {
  if (name === undefined || name === "-") return
  const beginning = BEGINNINGS[format]
  const found = await readBeginning(resolve(cwd, name), beginning.length)
  if (found === "" || found.toLowerCase() === beginning) return
  const message = `${option} '${printable(name)}' is a file that exists, and not a report in ${format}.`
  throw new AssayError("output_exists", message, { context: { remedy: "Choose another name, or delete the file." } })
}

/** Returns the first bytes of a file. If it can't be read, or does not exist, there are none. */
async function readBeginning(path: string, length: number): Promise<string> {
  try {
    await using file = await openRegularFile(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.toString("utf8", 0, bytesRead)
  } catch {
    return ""
  }
}
