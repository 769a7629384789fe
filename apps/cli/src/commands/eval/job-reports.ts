import { resolve } from "node:path"
import type { OpenedEvaluationFile } from "@assay/local"
import { jobFormats } from "@assay/results"
import type { Context } from "../../context.ts"
import { writeFile } from "../../output/write-file.ts"

interface ReportFiles {
  readonly junit?: string | undefined
  readonly summary?: string | undefined
}

/**
 * Opens the reports of several jobs, which share one file for each format. It is written after each job, so that those before an interrupted one are in it.
 * Returns the context of a job.
 */
export function openJobReports(
  { cwd }: Pick<Context, "cwd">,
  { junit, summary }: ReportFiles,
): (context: Context, file: Pick<OpenedEvaluationFile, "label">) => Context {
  const jobs: Parameters<typeof jobFormats.junit>[0][number][] = []
  const texts: string[] = []
  return (context, { label }) => ({
    ...context,
    async keepJunit(input) {
      jobs.push({ label, input })
      if (junit !== undefined) await writeFile(resolve(cwd, junit), jobFormats.junit(jobs))
    },
    async keepSummary(text) {
      texts.push(text)
      if (summary !== undefined) await writeFile(resolve(cwd, summary), texts.join("\n"))
    },
  })
}
