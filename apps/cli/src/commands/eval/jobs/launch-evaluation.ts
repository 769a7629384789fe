import type { EvaluationJob } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { openClient } from "../../../open-client.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import type { Overrides } from "../file/apply-overrides.ts"
import { readEvaluationFile } from "../file/read-evaluation-file.ts"
import { overridesOf } from "../run/eval-run-options.ts"
import { withServer } from "../run/run-evaluation-file.ts"
import { createProgressTeller } from "../screen/progress-teller.ts"
import { launchFile } from "./launch-file.ts"

export interface LaunchOptions extends JsonOption, Overrides {
  readonly server?: string
  readonly skipChecks?: boolean
}

/** `assay eval launch <file>` */
export async function launchEvaluation(given: Context, name: string, options: LaunchOptions): Promise<void> {
  const context = withServer(given, options.server)
  const client = openClient(context)
  const teller = createProgressTeller(context, options)
  const job = await launchFile(context, {
    file: await readEvaluationFile(context, name),
    overrides: overridesOf(options),
    skipChecks: options.skipChecks,
    client,
    say: (text) => teller.say(text),
  })
  await print(
    context,
    options,
    job,
    ({ id, status }: EvaluationJob) => `launched ${id} (${status})\n    assay eval watch ${id}\n`,
  )
}
