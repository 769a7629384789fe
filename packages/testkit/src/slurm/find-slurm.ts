import { delimiter } from "node:path"
import { findProgram } from "../programs/find-program.ts"

/** The daemons and commands of Slurm, by the Debian package that has them. */
const PROGRAMS = {
  munge: ["munged"],
  slurmctld: ["slurmctld"],
  slurmd: ["slurmd"],
  "slurm-client": ["sbatch", "squeue", "scancel", "scontrol", "sinfo"],
} as const

/** The programs of a cluster on this machine, or the reason why there is none. */
export type FoundSlurm =
  | { readonly isThere: true; readonly program: (name: string) => string }
  | { readonly isThere: false; readonly reason: string }

export interface WhereToFindSlurm {
  /** The folders of programs. Default: `PATH`, and the folder for administrators, where packages put daemons. */
  readonly path?: string
}

/** Finds the Debian packages of Slurm and MUNGE, which any user can run. */
export function findSlurm({
  path = [process.env["PATH"] ?? "", "/usr/sbin"].join(delimiter),
}: WhereToFindSlurm = {}): FoundSlurm {
  const missing = Object.entries(PROGRAMS)
    .filter(([, names]) => names.some((name) => findProgram(name, path) === undefined))
    .map(([name]) => name)
  if (missing.length > 0) return { isThere: false, reason: `not installed: ${missing.join(", ")}` }
  return { isThere: true, program: (name) => findProgram(name, path) ?? name }
}
