import { mkdir, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { formatJobJunit } from "@assay/evaluation"
import type { Context } from "../../../context.ts"
import { localFailure } from "../../../transfer/local-failure.ts"

/** Writes gates, or else metrics, and conditions as JUnit XML. */
export async function writeJunit(
  { cwd }: Pick<Context, "cwd">,
  name: string,
  input: Parameters<typeof formatJobJunit>[0],
): Promise<void> {
  const file = resolve(cwd, name)
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, formatJobJunit(input))
  } catch (error) {
    throw localFailure(error, "write", file)
  }
}
