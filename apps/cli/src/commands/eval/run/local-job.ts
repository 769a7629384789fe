import { AssayError } from "@assay/schemas/errors"
import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { defaultWorkspace } from "../../../file-address.ts"
import { printable } from "../../../output/printable.ts"
import { applyOverrides, type Overrides } from "../file/apply-overrides.ts"
import type { OpenedEvaluationFile } from "../file/evaluation-file.ts"

/** What runs in this process: target and configuration as they are written in the file. */
export interface LocalJob {
  readonly namespace: string
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
}

/** The job of a file, with the options of the command line in force. @throws `bad_usage` for what only a server knows */
export function localJob(
  context: Pick<Context, "env">,
  { name, content }: OpenedEvaluationFile,
  overrides: Overrides,
): LocalJob {
  const { target, config, namespace = defaultWorkspace(context) } = content
  if (typeof target === "string") throw unknownName(name, "target", target)
  if (typeof config === "string") throw unknownName(name, "config", config)
  return { namespace, target, config: applyOverrides(config, overrides) }
}

function unknownName(file: string, field: string, name: string): AssayError {
  const message = `${file} names the ${field} '${printable(name)}', which a server keeps: give --server (or set ASSAY_URL), or write the ${field} into the file.`
  return new AssayError("bad_usage", message)
}
