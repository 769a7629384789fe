import { formatRecord, formatTable, formatTime } from "@assay/reports/terminal"
import { type Baseline, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

/** Runs `assay baseline set <name> <job>`. */
export async function setBaseline(context: Context, name: string, job: string, options: JsonOption): Promise<void> {
  const [workspace, own] = baselineAddress(context, name)
  const baseline = await openClient(context).evaluation.baselines.set(workspace, own, job, context)
  await print(context, options, baseline, () => `${printable(`${workspace}/${own} is ${job}`)}\n`)
}

/** Runs `assay baseline list`. */
export async function listBaselines(context: Context, options: JsonOption): Promise<void> {
  const list = await openClient(context).evaluation.baselines.list(defaultWorkspace(context), context)
  await print(context, options, list, ({ data }, layout) =>
    formatTable(
      data,
      [
        { heading: "NAME", cut: "middle", value: ({ name }) => name },
        { heading: "JOB", cut: "nothing", value: ({ job }) => job },
        { heading: "SET", cut: "nothing", value: ({ updated_at }) => formatTime(updated_at, layout.now) },
        { heading: "BY", value: ({ history }) => history[0]?.by ?? "" },
      ],
      layout,
    ),
  )
}

/** Runs `assay baseline get <name>`. */
export async function getBaseline(context: Context, name: string, options: JsonOption): Promise<void> {
  const baseline = await openClient(context).evaluation.baselines.get(...baselineAddress(context, name), context)
  await print(context, options, baseline, formatBaseline)
}

/** Runs `assay baseline delete <name>`. */
export async function deleteBaseline(context: Context, name: string, options: JsonOption): Promise<void> {
  const [workspace, own] = baselineAddress(context, name)
  const removed = await openClient(context).evaluation.baselines.remove(workspace, own, context)
  await print(context, options, removed, ({ job }) => `${printable(`deleted ${workspace}/${own}; ${job} stays`)}\n`)
}

/** Returns the workspace and the name of a baseline as somebody writes it. @throws `bad_usage` */
export function baselineAddress(context: Context, written: string): readonly [workspace: string, name: string] {
  const parts = written.split("/")
  if (parts.length > 2 || parts.includes("")) {
    throw new AssayError(
      "bad_usage",
      `'${printable(written)}' is not the name of a baseline; write name, or workspace/name.`,
    )
  }
  const [first = "", second] = parts
  return second === undefined ? [defaultWorkspace(context), first] : [first, second]
}

function formatBaseline({ namespace, name, job, history }: Baseline): string {
  const record = formatRecord({ name: `${namespace}/${name}`, job })
  const table = formatTable(history, [
    { heading: "SET", value: ({ at }) => at },
    { heading: "JOB", value: (entry) => entry.job },
    { heading: "BY", value: ({ by }) => by },
  ])
  return `${record}\n${table}`
}
