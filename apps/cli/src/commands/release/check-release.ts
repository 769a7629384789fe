import { releases } from "@assay/local"
import { releasePolicy } from "@assay/results"
import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import { checkReports } from "../summary/write-summary.ts"
import { readPolicy } from "./read-policy.ts"
import { releaseContext } from "./release-context.ts"
import { reportRelease, type ReportReleaseOptions } from "./report-release.ts"

/** Runs `assay release check <policy>`: decides a release by the results of many evaluations. */
export async function checkRelease(context: Context, name: string, options: ReportReleaseOptions): Promise<ExitCode> {
  await checkReports(context, options)
  const { alpha, evaluations, folder } = await readPolicy(context, name)
  const machine = releaseContext(context, {})
  const opened: Awaited<ReturnType<typeof releases.open>>[] = []
  for (const policy of evaluations) opened.push(await releases.open(machine, policy, folder))
  return reportRelease(context, options, await releasePolicy.decide(opened, { alpha, signal: context.signal }))
}
