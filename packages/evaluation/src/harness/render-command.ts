import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import { compileTemplate } from "@assay/templates"
import type { Harness } from "./read-harness-config.ts"

/**
 * The arguments with what they name of the job filled in; `url` replaces the address of the endpoint.
 * @throws `template_error` that names the argument
 */
export function renderCommand(
  { command, results }: Harness,
  { target, config }: { readonly target: EvaluationTargetBody; readonly config: EvaluationConfigBody },
  url?: string,
): readonly [string, ...string[]] {
  const endpoint = target.model?.api_endpoint
  const values = {
    // Of a target that is no model nothing can be named.
    target: endpoint === undefined ? {} : { url: url ?? endpoint.url, model_id: endpoint.model_id },
    results,
    // A missing name is an error; this one is asked for with `if`.
    limit_samples: config.params?.limit_samples ?? null,
  }
  const render = (argument: string, index: number) =>
    compileTemplate(argument, { name: `harness.command[${index}]` }).render(values)
  const [program, ...args] = command
  return [render(program, 0), ...args.map((argument, index) => render(argument, index + 1))]
}
