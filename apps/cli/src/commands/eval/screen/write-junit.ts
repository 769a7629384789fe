import { mkdir, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { formatJunit } from "@assay/evaluation"
import type { Context } from "../../../context.ts"
import { localFailure } from "@assay/storage/paths"

/** Writes gates, or else metrics, and conditions as JUnit XML. */
export async function writeJunit(
  { cwd }: Pick<Context, "cwd">,
  name: string,
  input: Parameters<typeof formatJunit>[0],
): Promise<void> {
  const file = resolve(cwd, name)
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, formatJunit(input))
  } catch (error) {
    throw localFailure(error, "write", file)
  }
}
