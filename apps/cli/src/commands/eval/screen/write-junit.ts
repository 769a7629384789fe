import { resolve } from "node:path"
import { formatJobJunit, type JobJunitInput } from "@assay/evaluation"
import type { Context } from "../../../context.ts"
import { writeFile } from "../../../output/write-file.ts"

/** Writes the gates of a job, or its metrics if it has no gates, and its conditions as JUnit XML. */
export async function writeJunit({ cwd }: Pick<Context, "cwd">, name: string, input: JobJunitInput): Promise<void> {
  await writeFile(resolve(cwd, name), formatJobJunit(input))
}
