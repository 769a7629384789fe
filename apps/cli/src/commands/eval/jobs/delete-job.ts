import type { Context } from "../../../context.ts"
import { openClient } from "../../../open-client.ts"
import type { JsonOption } from "../../action.ts"
import { confirm } from "../../confirm.ts"
import { print } from "../../print.ts"

export interface DeleteJobOptions extends JsonOption {
  readonly yes?: boolean
}

/** `assay eval delete <job>` */
export async function deleteJob(context: Context, id: string, options: DeleteJobOptions): Promise<void> {
  await confirm(context, `Delete ${id} and its results?`, options.yes)
  await openClient(context).evaluation.jobs.remove(id, { signal: context.signal })
  await print(context, options, { id }, () => `deleted ${id}\n`)
}
