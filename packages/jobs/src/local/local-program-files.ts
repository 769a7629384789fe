import { withProgramFiles } from "@assay/evaluation"
import { AssayError, printable } from "@assay/schemas"
import type { LaunchSubject } from "../launch/launch-ports.ts"
import type { LocalPorts } from "./local-environment.ts"

/**
 * Puts the files of programs that are in filesets of a server into a job of this machine. A changed file makes another job.
 * @throws `not_found`, `invalid_request`; the errors of the server
 */
export async function withLocalFiles<Job extends LaunchSubject>(
  job: Job,
  { filesets }: Pick<LocalPorts, "filesets">,
  signal: AbortSignal,
): Promise<Job> {
  const config = await withProgramFiles(job.config, {
    signal,
    open(workspace, name, revision) {
      if (revision === undefined) return filesets.openStorage(workspace, name)
      const shown = printable(`${workspace}/${name}@${revision}`)
      const why = `Only a server reads the revision '${shown}' of files`
      const advice = `launch the job there, or pin the files by their digest: ${printable(name)}@sha256:…`
      throw new AssayError("invalid_request", `${why}: ${advice}.`)
    },
  })
  return config === job.config ? job : { ...job, config }
}
