import { resolve } from "node:path"
import { formatCertificateHtml } from "@assay/guardrails"
import type { Context } from "../../context.ts"
import { writeFile } from "../../output/write-file.ts"

/** Writes a certificate as a page, if a file is named. Returns the path. */
export async function writePage(
  { cwd }: Pick<Context, "cwd">,
  file: string | undefined,
  ...page: Parameters<typeof formatCertificateHtml>
): Promise<readonly string[]> {
  if (file === undefined) return []
  const path = resolve(cwd, file)
  await writeFile(path, formatCertificateHtml(...page))
  return [path]
}
