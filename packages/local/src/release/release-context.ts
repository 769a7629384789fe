import type { EvaluationFileJobs } from "../file/evaluation-file.ts"
import type { LocalPorts } from "../local-environment.ts"

/** The machine on which a release is decided. */
export interface ReleaseContext {
  readonly ports: LocalPorts
  /** The folder that paths are relative to if results do not say where their file was. */
  readonly cwd: string
  /** The workspace of jobs that do not name one. */
  readonly workspace: string
  readonly signal: AbortSignal
  /** Reads an evaluation file, whose name is relative to a folder. @throws `bad_document`, `not_found` */
  readonly readFile: (name: string, folder: string) => Promise<EvaluationFileJobs>
}
