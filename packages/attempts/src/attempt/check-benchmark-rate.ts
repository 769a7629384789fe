import { AssayError } from "@assay/schemas"
import type { RunnableJob } from "@assay/evaluation"

/** Checks that the requests of a job are those of this program, if their rate is limited. @throws `invalid_request` for a benchmark with a rate */
export function checkBenchmarkRate({ type, params }: RunnableJob["config"]): void {
  if (params?.rate == null || type !== "benchmark") return
  const message = `config.params.rate (--rate): the harness of a benchmark sends its requests itself, and not at ${params.rate} a second; leave the rate out, and lower parallelism instead.`
  throw new AssayError("invalid_request", message, { context: { remedy: "Leave out --rate or config.params.rate." } })
}
