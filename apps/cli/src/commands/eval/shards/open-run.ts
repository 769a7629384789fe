import { hostname } from "node:os"
import { createTransport } from "@assay/http/node"
import { cutRuns } from "@assay/local"
import type { PriceTable } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { localPorts } from "../run-here.ts"

/** The folder or bucket of a run. */
export type RunStore = Awaited<ReturnType<typeof cutRuns.open>>

/** The facts about a run that its files show. */
export type RunState = Awaited<ReturnType<typeof cutRuns.state>>

/** Opens the folder or bucket of a run. @throws `bad_usage` */
export function openRun({ cwd, env, now, random, randomBytes, sleep }: Context, written: string): Promise<RunStore> {
  const openRemote = () => ({ transport: createTransport(), now, random, sleep })
  return cutRuns.open(written, { cwd, env, randomBytes, openRemote })
}

/** Returns what the commands of a run use of the process. */
export function runPorts(context: Context, prices?: PriceTable): Parameters<typeof cutRuns.cut>[0] {
  return { ...localPorts(context, { prices }), host: hostname() }
}
