import { resolve } from "node:path"
import { type JobOverrides, releases } from "@assay/local"
import { releasePolicy } from "@assay/results"
import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import { withKeyHosts } from "../guard/inference-key.ts"
import { checkReports } from "../summary/write-summary.ts"
import type { FolderOptions } from "../eval/file/read-evaluation.ts"
import { readPolicy } from "./read-policy.ts"
import { releaseContext } from "./release-context.ts"
import { reportRelease, type ReportReleaseOptions } from "./report-release.ts"
import { runFile } from "./run-file.ts"

export interface RunReleaseOptions extends ReportReleaseOptions, JobOverrides, FolderOptions {
  readonly dataDir: string
  readonly all?: boolean
  readonly force?: boolean
  readonly skipChecks?: boolean
  readonly prices?: string
  readonly keyHost?: readonly string[]
}

/**
 * Runs `assay release run <policy>`: asks the evaluations without results, critical ones first, until the verdict is certain, and decides the release by what is there
 * then. An evaluation with limits alone ends as soon as they are decided.
 */
export async function runRelease(ofProcess: Context, name: string, options: RunReleaseOptions): Promise<ExitCode> {
  const context = withKeyHosts(ofProcess, options.keyHost)
  context.keepHeapSmall()
  await checkReports(context, options)
  const policy = await readPolicy(context, name)
  const { force = false, skipChecks = false, prices, json = false, all = false, dataDir } = options
  const dataFolder = resolve(context.cwd, dataDir)
  const machine = releaseContext(context, options)
  const plan = await releases.plan(machine, policy, options)
  const running = { dataFolder, force, skipChecks, prices, json }
  const { opened, notAsked } = await releases.askUntilCertain(machine, {
    policy,
    plan,
    dataFolder,
    force,
    asksAll: all,
    ask: (run, results) => runFile(context, run, { ...running, ...results }),
  })
  const inPolicy = policy.evaluations.flatMap((one) => opened.get(one.name) ?? [])
  const report = await releasePolicy.decide(inPolicy, { alpha: policy.alpha, signal: context.signal })
  const asked = await releases.countAsked(machine, plan.results, notAsked)
  return reportRelease(context, options, { ...report, ...(asked === undefined ? {} : { asked }) })
}
